// The program does not grow with the mesh: the same operations on 8 and on 65,536 devices.
#include "harness.h"
#include "registry.h"

using namespace shardwright;
using namespace shardwright::ir;

class DeviceCountTest : public QObject {
    Q_OBJECT
    /// Two layers of attention-like and MLP blocks, annotated by hand, on `mesh`.
    static QString sequence(const std::string& mesh) {
        test::Case c(mesh);
        Builder b = c.build();
        const std::int64_t batch = 1 << 20, width = 8192, hidden = 32768;
        std::vector<TensorType> types{{ElementType::kBF16, {batch, width}}};
        for (int layer = 0; layer < 2; ++layer) {
            types.push_back({ElementType::kBF16, {width, hidden}});
            types.push_back({ElementType::kBF16, {hidden, width}});
        }
        const RegionId body = b.begin_function("main", types);
        ValueId x = c.module.argument(body, 0);
        c.put(x, "[data, -]");
        DotAttributes d;
        d.lhs_contracting = {1};
        d.rhs_contracting = {0};
        for (std::size_t layer = 0; layer < 2; ++layer) {
            const ValueId up = c.module.argument(body, 1 + 2 * layer);
            const ValueId down = c.module.argument(body, 2 + 2 * layer);
            c.put(up, "[data, model]");
            c.put(down, "[model, data]");
            const ValueId h = b.dot(x, up, d, ElementType::kBF16);
            c.put(h, "[data, model]");
            const ValueId t = b.add(OpKind::kTanh, {h});
            c.put(t, "[data, model]");
            x = b.dot(t, down, d, ElementType::kBF16);
            c.put(x, "[data, -]");
        }
        b.ret({&x, 1});
        const auto program = test::partitioned(c, c.shardings());
        QString kinds;
        walk(program.module, program.module.functions()[0].body, [&](OpId id) {
            kinds += QString::fromStdString(std::string(name(program.module.op(id).kind))) + " ";
        });
        return kinds;
    }

  private Q_SLOTS:
    void same_operations_on_many_devices() {
        const QString few = sequence("data=2,model=4");
        QCOMPARE(sequence("data=256,model=256"), few);
        QCOMPARE(sequence("data=16,model=16"), few);
        QVERIFY(few.count(' ') < 40);
    }
};
SHARDWRIGHT_TEST(DeviceCountTest, "device_count")
#include "device_count.moc"
