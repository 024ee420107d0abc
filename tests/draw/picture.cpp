// Scenes and what is painted of them: at every scale nothing overlaps and no text leaves its box.
#include <set>

#include "draw/paint.h"
#include "draw/svg.h"
#include "draw/units.h"
#include "layered_model.h"
#include "registry.h"

using namespace shardwright;
using namespace shardwright::draw;
using shardwright::test::layered_model;

namespace {

struct Drawn {
    ir::Module module;
    ir::Uses uses;
    GroupTree tree;
    Graphs graphs;
    Scene scene;
    Drawn(ir::Module m, bool all_open) : module(std::move(m)), uses(module) {
        tree = find_groups(module, uses);
        graphs = make_graphs(module, uses, tree);
        LayoutStore store;
        std::vector<bool> open =
            all_open ? std::vector<bool>(tree.groups.size(), true) : first_view(tree);
        scene = build_scene(
            {module, tree, graphs, [this](ir::ValueId v) { return "%" + std::to_string(v.index); }},
            open, store);
    }
};

int overlapping_texts(const DisplayList& list) {
    int overlaps = 0;
    const auto texts = list.texts();
    for (std::size_t i = 0; i < texts.size(); ++i)
        for (std::size_t j = i + 1; j < texts.size(); ++j)
            overlaps += texts[i].box.grown(-1).intersects(texts[j].box.grown(-1));
    return overlaps;
}

}  // namespace

class PictureTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void no_text_overlaps_data() {
        QTest::addColumn<double>("scale");
        QTest::addColumn<bool>("all_open");
        for (const double scale : {2.0, 1.0, 0.5, 0.3})
            for (const bool open : {false, true})
                QTest::addRow("%g %s", scale, open ? "open" : "first view") << scale << open;
    }
    void no_text_overlaps() {
        QFETCH(double, scale);
        QFETCH(bool, all_open);
        const Drawn d(layered_model(6, true, 3), all_open);
        const DisplayList list = paint(d.scene, {}, {.visible = d.scene.bounds, .scale = scale});
        QVERIFY(list.texts().size() > 5);
        QCOMPARE(overlapping_texts(list), 0);
        for (const TextItem& t : list.texts())
            QVERIFY(text_width(list.string(t), double(t.size), t.bold) <= t.box.width + 0.01);
    }
    void every_dimension_has_a_cell_inside_its_card() {
        const Drawn d(layered_model(2, true), true);
        QVERIFY(!d.scene.pills.empty());
        for (const ScenePill& pill : d.scene.pills) {
            QCOMPARE(std::size_t(pill.cell_count), d.module.type(pill.value).rank());
            const Rect& card = d.scene.nodes[pill.node].rect;
            for (std::uint32_t c = 0; c < pill.cell_count; ++c) {
                const Rect& cell = d.scene.cells[pill.cell_begin + c];
                QVERIFY(cell.x >= card.x && cell.right() <= card.right() + 0.5);
                const Hit hit = hit_test(d.scene, cell.centre());
                QCOMPARE(hit.cell, std::int64_t(c));
                QVERIFY(d.scene.pills[std::size_t(hit.pill)].value == pill.value);
            }
        }
    }
    void culling_paints_only_what_is_seen() {
        const Drawn d(layered_model(30, true), true);
        const auto whole = paint(d.scene, {}, {.visible = d.scene.bounds, .scale = 1});
        const Rect corner{d.scene.bounds.x, d.scene.bounds.y, 300, 300};
        const auto part = paint(d.scene, {}, {.visible = corner, .scale = 1});
        QVERIFY(part.items().size() * 4 < whole.items().size());
    }
    void less_detail_when_far_away() {
        const Drawn d(layered_model(10, true), true);
        const auto near = paint(d.scene, {}, {.visible = d.scene.bounds, .scale = 1});
        const auto far = paint(d.scene, {}, {.visible = d.scene.bounds, .scale = 0.1});
        QVERIFY(far.items().size() * 2 < near.items().size());
    }
    void axis_colours_are_readable() {
        const auto mesh = mesh::Mesh::parse("data=2,depth=2,model=4,expert=2,x=2,y=2,z=2,w=2");
        QVERIFY(mesh.ok());
        std::set<std::string> letters;
        for (const AxisStyle& s : axis_styles(*mesh)) {
            QVERIFY2(contrast(s.fill, s.text) >= 4.5, s.name.c_str());
            letters.insert(s.letter);
        }
        QCOMPARE(letters.size(), std::size_t(8));
        for (const Palette* p : {&light_palette(), &dark_palette()}) {
            QVERIFY(contrast(p->card, p->text) >= 4.5);
            QVERIFY(contrast(p->card, p->faint_text) >= 4.5);
            QVERIFY(contrast(p->badge, p->badge_text) >= 4.5);
        }
    }
    void svg_and_png_are_written() {
        const Drawn d(layered_model(2, true), true);
        const DisplayList list = paint(d.scene, {}, {.visible = d.scene.bounds, .scale = 1});
        const std::string svg = to_svg(list, d.scene.bounds, 0xFFFFFFFF);
        QVERIFY(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        QVERIFY(svg.find("dot_general") != std::string::npos);
        QTemporaryDir folder;
        const std::string path = folder.filePath("picture.png").toStdString();
        QVERIFY(write_png(list, d.scene.bounds, 0xFFFFFFFF, 1, path).ok());
        QVERIFY(test::read_text(path).starts_with("\x89PNG"));
        QVERIFY(!write_png(list, d.scene.bounds, 0xFFFFFFFF, 1e6, path).ok());
        QVERIFY(!write_png(list, d.scene.bounds, 0xFFFFFFFF, 1, "/nowhere/x.png").ok());
    }
    void collectives_become_badges_where_they_are_needed() {
        const Drawn open(layered_model(2, true), true);
        ir::OpId dot;
        for (std::size_t i = 0; i < open.module.op_count(); ++i)
            if (open.module.op(ir::OpId(i)).kind == ir::OpKind::kDotGeneral) dot = ir::OpId(i);
        const std::vector<CollectiveMark> marks = {
            {ir::OpKind::kAllGather, dot, open.module.operand(dot, 1), true, 3 << 20, 0},
            {ir::OpKind::kAllReduce, dot, open.module.result(dot), false, 1 << 20, 2e-3}};
        const auto badges = place_badges(open.scene, open.tree, open.graphs, marks);
        QCOMPARE(badges.size(), std::size_t(2));
        QVERIFY(badges[0].place == Badge::Place::kEdge && badges[0].dashed);
        QCOMPARE(QString::fromStdString(badges[0].text), QString("AG 3.0 MB"));
        QCOMPARE(QString::fromStdString(badges[1].text), QString("AR 1.0 MB 2.0 ms"));
    }
    void units_data() {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<QString>("text");
        QTest::newRow("0") << qint64(0) << "0 B";
        QTest::newRow("1023") << qint64(1023) << "1023 B";
        QTest::newRow("1.5K") << qint64(1536) << "1.5 KB";
        QTest::newRow("just below") << qint64(1024 * 1024 - 1) << "1.0 MB";
        QTest::newRow("250G") << qint64(250) * 1024 * 1024 * 1024 << "250 GB";
    }
    void units() {
        QFETCH(qint64, bytes);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(bytes_text(bytes)), text);
    }
};
SHARDWRIGHT_TEST(PictureTest, "picture")
#include "picture.moc"
