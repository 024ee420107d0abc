// Chains give the bits of single operations, and the buffer plan is what the allocator counts.
#include <random>

#include "program.h"
#include "registry.h"

using namespace shardwright;
using namespace shardwright::test;
using ir::ElementType;
using ir::OpKind;
using Arguments = std::vector<ir::ValueId>;

namespace {

/// A random program of elementwise operations, broadcasts, reshapes and now and then a reduction,
/// over arrays of 6·5·7·41 elements and their parts; everything unused is a result.
void random_program(ir::Module& module, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    constexpr ElementType kTypes[] = {ElementType::kF32, ElementType::kBF16, ElementType::kF64,
                                      ElementType::kS32, ElementType::kS8};
    const ElementType main_type = kTypes[below(5)];
    const Dims whole{6, 5, 287}, flat{30, 287};
    ir::Builder b(module);
    const std::vector<ir::TensorType> types{{main_type, whole},
                                            {main_type, Dims{287}},
                                            {main_type, Dims{6, 1, 287}},
                                            {main_type, Dims{5}},
                                            {main_type, {}}};
    const ir::RegionId body = b.begin_function("main", types);
    const auto argument = [&](std::size_t i) { return module.argument(body, i); };
    Arguments values{argument(0)};
    std::vector<int> uses{0};
    const auto spread = [&]() -> ir::ValueId {
        const ir::TensorType type{main_type, whole};
        const std::int64_t last[] = {2}, middle[] = {1}, all[] = {0, 1, 2};
        switch (below(6)) {
            case 0:
                return b.broadcast(argument(1), type, last);
            case 1:
                return b.broadcast(argument(2), type, all);
            case 2:
                return b.broadcast(argument(3), type, middle);
            case 3:
                return b.broadcast(argument(4), type, {});
            case 4:
                return b.broadcast(b.scalar(main_type, 3), type, {});
            default:
                return b.splat(type, 2);
        }
    };
    const int operations = 4 + static_cast<int>(below(30));
    for (int i = 0; i < operations; ++i) {
        const std::size_t left = values.size() - 1 - below(std::min<std::size_t>(3, values.size()));
        const ir::ValueId x = values[left];
        ++uses[left];
        const bool is_flat = module.type(x).rank() == 2;
        ir::ValueId made;
        constexpr OpKind kBinary[] = {OpKind::kAdd, OpKind::kSubtract, OpKind::kMultiply,
                                      OpKind::kMaximum, OpKind::kMinimum};
        const std::size_t right = below(values.size());
        const bool partner = module.type(values[right]) == module.type(x);
        switch (below(8)) {
            case 0:
                made = b.add(OpKind::kNegate, {x});
                break;
            case 1:
                made = b.reshape(x, view(is_flat ? whole : flat));
                break;
            case 2:  // through another width and back
                made = b.convert(b.convert(x, ElementType::kS16), main_type);
                break;
            case 3:
                if (!is_flat) {
                    const std::int64_t dims[] = {1};
                    const ir::ValueId sum = b.reduce(x, b.scalar(main_type, 0), dims, OpKind::kAdd);
                    const std::int64_t kept[] = {0, 2};
                    made = b.broadcast(sum, {main_type, whole}, kept);
                    break;
                }
                [[fallthrough]];
            case 4:
                if (!is_flat) {
                    const ir::ValueId other = spread();
                    made = b.select(b.compare(x, other, ir::Direction::kLt), other, x);
                    break;
                }
                [[fallthrough]];
            default:
                if (partner) ++uses[right];
                made = b.add(kBinary[below(5)], {x, partner   ? values[right]
                                                    : is_flat ? x
                                                              : spread()});
        }
        values.push_back(made);
        uses.push_back(0);
    }
    Arguments results;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (uses[i] == 0 || (i > 0 && below(8) == 0)) results.push_back(values[i]);
    b.ret(results);
}

exec::Outputs run(const ir::Module& module, bool fuse) {
    exec::Options options;
    options.fuse = fuse;
    auto outputs = exec::evaluate(module, 0, exec::random_inputs(module, 0, 7), options);
    if (!outputs.ok()) qWarning("%s", outputs.error().text().c_str());
    return outputs.ok() ? *std::move(outputs) : exec::Outputs{};
}

}  // namespace

class FusionTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void random_programs_keep_their_bits_and_their_plan() {
        int smaller = 0;
        for (std::uint64_t seed = 1; seed <= 300; ++seed) {
            ir::Module module;
            random_program(module, seed);
            const exec::Outputs fused = run(module, true), plain = run(module, false);
            QVERIFY2(!plain.values.empty() && fused.values.size() == plain.values.size(),
                     qPrintable(QString::number(seed)));
            for (std::size_t i = 0; i < plain.values.size(); ++i)
                QVERIFY2(fused.values[i].data == plain.values[i].data,
                         qPrintable(QString("seed %1, result %2").arg(seed).arg(i)));
            QCOMPARE(fused.planned_bytes, fused.peak_bytes);
            QCOMPARE(plain.planned_bytes, plain.peak_bytes);
            smaller += fused.peak_bytes < plain.peak_bytes;
        }
        // Fusing must be seen to happen: what is never stored takes no memory.
        QVERIFY2(smaller > 100, qPrintable(QString::number(smaller)));
    }

    void a_chain_stores_nothing_in_between() {
        // 4·x + 1, then squared: one input and one output, whatever lies between.
        ir::Module module;
        ir::Builder b(module);
        const ir::TensorType type{ElementType::kF32, {100000}};
        const ir::RegionId body = b.begin_function("main", {{type}});
        const ir::ValueId x = module.argument(body, 0);
        const ir::ValueId y = b.add(OpKind::kMultiply, {x, b.splat(type, 4)});
        const ir::ValueId z = b.add(OpKind::kAdd, {y, b.splat(type, 1)});
        b.ret({{b.add(OpKind::kMultiply, {z, z})}});
        const exec::Outputs fused = run(module, true);
        QCOMPARE(fused.peak_bytes, std::int64_t{800000});
        QCOMPARE(fused.planned_bytes, std::int64_t{800000});
    }

    void sums_of_many_products_do_not_wait_for_the_last() {
        // ((d1 + d2) + d3) + …: fused to one pass, all eight products would be alive at once.
        ir::Module module;
        ir::Builder b(module);
        const ir::TensorType type{ElementType::kF32, {64, 64}};
        const ir::RegionId body = b.begin_function("main", {{type}});
        const ir::ValueId x = module.argument(body, 0);
        ir::DotAttributes dims;
        dims.lhs_contracting = {1};
        dims.rhs_contracting = {0};
        ir::ValueId sum = b.dot(x, x, dims, ElementType::kF32);
        for (int i = 0; i < 7; ++i)
            sum = b.add(OpKind::kAdd, {sum, b.dot(x, sum, dims, ElementType::kF32)});
        b.ret({{sum}});
        const exec::Outputs fused = run(module, true), plain = run(module, false);
        QVERIFY(fused.peak_bytes <= plain.peak_bytes);
        QCOMPARE(fused.planned_bytes, fused.peak_bytes);
    }

    void loops_and_branches_have_a_plan_data() {
        QTest::addColumn<int>("trips");
        for (const int trips : {0, 1, 2, 9}) QTest::addRow("%d trips", trips) << trips;
    }
    void loops_and_branches_have_a_plan() {
        QFETCH(int, trips);
        ir::Module module;
        ir::Builder b(module);
        const ir::TensorType count{ElementType::kS32, {}}, array{ElementType::kF32, {1000}};
        const ir::RegionId body = b.begin_function("main", {{array}});
        const ir::ValueId x = module.argument(body, 0);
        // Two arrays that change places each trip, one that is an input, one that is not.
        const ir::ValueId start[] = {b.scalar(ElementType::kS32, 0), x, b.splat(array, 1), x};
        const std::vector<ir::TensorType> types{count, array, array, array};
        const ir::RegionId here = b.region();
        const ir::RegionId condition = b.make_region(types), trip = b.make_region(types);
        b.set_region(condition);
        b.ret({{b.compare(module.argument(condition, 0), b.scalar(ElementType::kS32, trips),
                          ir::Direction::kLt)}});
        b.set_region(trip);
        const ir::ValueId i = module.argument(trip, 0), p = module.argument(trip, 1),
                          q = module.argument(trip, 2), kept = module.argument(trip, 3);
        const ir::ValueId next = b.add(OpKind::kAdd, {i, b.scalar(ElementType::kS32, 1)});
        const ir::ValueId sum = b.add(OpKind::kAdd, {b.add(OpKind::kNegate, {p}), kept});
        b.ret({{next, q, sum, kept}});
        b.set_region(here);
        const ir::RegionId regions[] = {condition, trip};
        const ir::OpId loop = b.add_op(OpKind::kWhile, start, {}, {}, regions);
        // Both branches are as large; one gives back what it captured.
        const ir::ValueId a = module.result(loop, 1), c = module.result(loop, 2);
        const ir::RegionId yes = b.make_region({}), no = b.make_region({});
        b.set_region(yes);
        b.ret({{b.add(OpKind::kMultiply, {a, c})}});
        b.set_region(no);
        b.ret({{b.add(OpKind::kAdd, {c, a})}});
        b.set_region(here);
        const std::int64_t dims[] = {0};
        const ir::ValueId total = b.reduce(a, b.scalar(ElementType::kF32, 0), dims, OpKind::kAdd);
        const ir::ValueId is_less =
            b.compare(total, b.scalar(ElementType::kF32, 0), ir::Direction::kLt);
        const ir::ValueId selector[] = {is_less};
        const ir::RegionId branches[] = {yes, no};
        const ir::OpId branch = b.add_op(OpKind::kIf, selector, {}, {}, branches);
        b.ret({{module.result(branch, 0), module.result(loop, 3)}});
        for (const bool fuse : {true, false}) {
            const exec::Outputs outputs = run(module, fuse);
            QCOMPARE(outputs.values.size(), std::size_t{2});
            QCOMPARE(outputs.planned_bytes, outputs.peak_bytes);
        }
    }
};
SHARDWRIGHT_TEST(FusionTest, "fusion")
#include "fusion.moc"
