// Which operation is drawn in which box.
#include "draw/groups.h"

#include "draw/graph.h"
#include "draw/scope_path.h"
#include "layered_model.h"
#include "registry.h"

using namespace shardwright;
using namespace shardwright::draw;
using shardwright::test::layered_model;

class GroupsTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void scope_paths_lose_wrappers_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QStringList>("parts");
        QTest::newRow("empty") << "" << QStringList{};
        QTest::newRow("primitive alone") << "dot_general" << QStringList{};
        QTest::newRow("jit") << "jit(step)/layer_3/attention/dot_general"
                             << QStringList{"layer_3", "attention"};
        QTest::newRow("transpose of jvp")
            << "jit(step)/transpose(jvp(Model))/mlp/checkpoint/mul" << QStringList{"Model", "mlp"};
        QTest::newRow("loop") << "jit(f)/while/body/closed_call/layers/add"
                              << QStringList{"layers"};
        QTest::newRow("no primitive") << "layer_0/mlp" << QStringList{"layer_0", "mlp"};
        QTest::newRow("slash in brackets") << "a[x/y]/b/add" << QStringList{"a[x/y]", "b"};
    }
    void scope_paths_lose_wrappers() {
        QFETCH(QString, path);
        QFETCH(QStringList, parts);
        QStringList got;
        for (const std::string& part : scope_components(path.toStdString()))
            got << QString::fromStdString(part);
        QCOMPARE(got, parts);
    }
    void scopes_become_groups_and_weights_go_with_their_layer() {
        const ir::Module m = layered_model(3, true);
        const ir::Uses uses(m);
        const GroupTree tree = find_groups(m, uses);
        QCOMPARE(tree[tree.root()].children.size(), std::size_t(3));
        const GroupId second = tree[tree.root()].children[1];
        QCOMPARE(QString::fromStdString(tree[second].name), QString("layer_1"));
        QCOMPARE(tree[second].cards, std::int64_t(4));
        const ir::RegionId body = m.entry().body;
        QVERIFY(tree.of_argument[m.argument(body, 3).index] == second);
    }
    void constants_stand_inside_their_user() {
        const ir::Module m = layered_model(1, true);
        const ir::Uses uses(m);
        const GroupTree tree = find_groups(m, uses);
        const Graphs graphs = make_graphs(m, uses, tree);
        bool found = false;
        for (std::size_t i = 0; i < m.op_count(); ++i) {
            const ir::OpId id(i);
            if (m.op(id).kind == ir::OpKind::kConstant) QVERIFY(!graphs.of_op[i].group.valid());
            if (m.op(id).kind != ir::OpKind::kMaximum) continue;
            const NodePlace place = graphs.of_op[i];
            const Node& node = graphs.of_group[place.group.index].nodes[place.node];
            QCOMPARE(node.inline_operands.size(), std::size_t(1));
            found = true;
        }
        QVERIFY(found);
    }
    void repeated_layers_without_scopes_become_blocks() {
        const ir::Module m = layered_model(8, false, 10);
        const ir::Uses uses(m);
        const GroupTree tree = find_groups(m, uses);
        int blocks = 0;
        for (const GroupId child : tree[tree.root()].children)
            if (tree[child].name.starts_with("block ")) {
                ++blocks;
                QCOMPARE(tree[child].cards, std::int64_t(14));
            }
        QVERIFY(blocks >= 7);
    }
    void every_card_is_in_one_group_and_no_group_is_too_large() {
        const ir::Module m = layered_model(1, true, 1000);
        const ir::Uses uses(m);
        const GroupOptions options;
        const GroupTree tree = find_groups(m, uses, options);
        std::vector<int> seen(m.op_count(), 0);
        for (const Group& g : tree.groups) {
            QVERIFY(g.ops.size() + g.children.size() <= options.max_cards + options.max_cards / 4);
            for (const ir::OpId id : g.ops) ++seen[id.index];
        }
        for (std::size_t i = 0; i < m.op_count(); ++i) {
            const bool is_card = !tree.inlined[i] && !ir::info(m.op(ir::OpId(i)).kind).terminator &&
                                 m.op(ir::OpId(i)).parent == m.entry().body;
            QCOMPARE(seen[i], is_card ? 1 : 0);
        }
    }
    void wide_fan_out_becomes_portals() {
        ir::Module m;
        ir::Builder b(m);
        const ir::TensorType t{ir::ElementType::kF32, {8}};
        const ir::TensorType arguments[] = {t};
        const ir::RegionId body = b.begin_function("main", arguments);
        const ir::ValueId x = m.argument(body, 0);
        std::vector<ir::ValueId> results;
        for (int i = 0; i < 9; ++i) results.push_back(b.add(ir::OpKind::kTanh, {x}));
        b.ret(results);
        const ir::Uses uses(m);
        const GroupTree tree = find_groups(m, uses);
        const Graphs graphs = make_graphs(m, uses, tree);
        QCOMPARE(graphs.of_group[0].edges.size(), std::size_t(0));
        for (const Node& node : graphs.of_group[0].nodes)
            if (node.kind == NodeKind::kOp) QVERIFY(node.inline_operands.at(0) == x);
    }
};
SHARDWRIGHT_TEST(GroupsTest, "groups")
#include "groups.moc"
