// The table of collectives: what moves, how much, how often, and why.
#include "ir/trip_count.h"
#include "partition/collective_cost.h"
#include "partition/partition.h"

namespace shardwright::partition {
namespace {

using namespace ir;

class Lister {
  public:
    explicit Lister(const Partitioned& program) : p_(program), m_(program.module) {}
    std::vector<CollectiveLine> run() {
        if (m_.has_entry()) region(m_.entry().body, 1);
        return std::move(lines_);
    }

  private:
    void region(RegionId id, std::int64_t trips) {
        for (const OpId op : m_.region(id).ops) {
            const OpKind kind = m_.op(op).kind;
            std::int64_t inner = trips;
            if (kind == OpKind::kWhile)
                inner *= std::max<std::int64_t>(1, trip_count(m_, op).value_or(1));
            for (const RegionId r : m_.regions(op)) region(r, inner);
            if (info(kind).collective) line(op, trips);
        }
    }

    std::int64_t group_size(const CollectiveAttributes& a) const {
        if (a.mode == GroupMode::kMeshAxes) return mesh::product(a.axes);
        return a.groups.empty() ? 1 : static_cast<std::int64_t>(a.groups.front().size());
    }

    void line(OpId op, std::int64_t trips) {
        const auto& a = m_.attributes<CollectiveAttributes>(op);
        CollectiveLine line;
        line.kind = m_.op(op).kind;
        line.op = op;
        line.trips = trips;
        for (const mesh::AxisRef& ref : a.axes) {
            if (!line.axes.empty()) line.axes += ',';
            const mesh::Mesh& mesh = m_.mesh(a.mesh);
            line.axes += mesh.is_full(ref) ? mesh.axes()[ref.axis].name : mesh::to_text(mesh, ref);
        }
        for (const ValueId v : m_.operands(op)) line.bytes_in += m_.type(v).byte_size();
        for (std::size_t i = 0; i < m_.op(op).result_count; ++i)
            line.bytes_out += m_.type(m_.result(op, i)).byte_size();
        line.group_size = group_size(a);
        line.bytes_moved = bytes_moved(line.kind, line.bytes_in, line.bytes_out, line.group_size);
        if (a.cause.valid() && a.cause.index < p_.causes.size())
            line.cause = p_.causes[a.cause.index].text;
        line.scope = std::string(m_.scope(op));
        lines_.push_back(std::move(line));
    }

    const Partitioned& p_;
    const Module& m_;
    std::vector<CollectiveLine> lines_;
};

}  // namespace

std::vector<CollectiveLine> list_collectives(const Partitioned& program) {
    return Lister(program).run();
}

}  // namespace shardwright::partition
