#pragma once
// Partition a small module under given shardings, run it on every device, compare with one device.

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "ir/builder.h"
#include "partition/partition.h"
#include "propagation/propagate.h"
#include "rules/rule.h"

namespace shardwright::test {

/// A module with one mesh, a function "main" and a sharding for every value.
struct Case {
    ir::Module module;
    sharding::MeshId mesh;
    explicit Case(const std::string& mesh_text);
    ir::Builder build() { return ir::Builder(module); }

    /// The short form, `[x, -, y+z]`; checked.
    sharding::Sharding sharding(const std::string& text, std::size_t rank) const;
    void put(ir::ValueId v, const std::string& text) { given_[v.index] = text; }

    /// Given ones as given, all others replicated; values tied by data flow agree.
    propagation::Result shardings() const;
    /// A random sharding for every value, given ones kept.
    propagation::Result random_shardings(std::uint64_t seed) const;

  private:
    propagation::Result finish(const std::function<sharding::Sharding(std::size_t)>& of) const;
    std::unordered_map<std::uint32_t, std::string> given_;
};

/// A random placement of the mesh's axes, some split in two, on the dimensions.
sharding::Sharding random_sharding(const mesh::Mesh& mesh, std::size_t rank,
                                   std::mt19937_64& random);

/// Partitions; aborts the test program with the message when that fails.
partition::Partitioned partitioned(const Case& c, const propagation::Result& shardings,
                                   const partition::Options& options = {});

/// "" when the partitioned program gives what one device gives, else what differs.
std::string difference(const Case& c, const propagation::Result& shardings,
                       std::uint64_t input_seed = 1, const partition::Options& options = {});

/// The collectives in program order, "all_reduce(x)" separated by spaces.
std::string collectives_text(const partition::Partitioned& program);
/// How many operations of this kind the program has.
std::size_t count(const ir::Module& program, ir::OpKind kind);

}  // namespace shardwright::test
