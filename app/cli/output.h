#pragma once
// How results leave: JSON documents, tables, numbers that people read.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "plan/derive.h"

namespace shardwright::cli {

using nlohmann::json;

/// `1.50 GiB`, `412 B`; exact below 1 KiB.
std::string bytes_text(std::int64_t bytes);
/// `12.3 ms`, `41 µs`.
std::string seconds_text(double seconds);
/// `1.25e+12` style with a unit word: `1.25 T`.
std::string count_text(double count);

/// Columns padded to their widest cell; numbers (second argument true) to the right.
class Table {
  public:
    explicit Table(std::vector<std::string> header, std::vector<bool> right = {});
    void add(std::vector<std::string> row);
    std::string text() const;

  private:
    std::vector<bool> right_;
    std::vector<std::vector<std::string>> rows_;
};

/// Prints one document a module: the object itself for one module, `{schema, modules}` for several.
void print_json(std::vector<json> modules);

json mesh_json(const mesh::Mesh& mesh);
/// `{sdy, hlo}`.
json sharding_json(const sharding::Sharding& s, const mesh::Mesh& mesh);
json totals_json(const plan::Totals& totals);
json collectives_json(const std::vector<partition::CollectiveLine>& lines);
/// The collectives as a table, equal lines (kind, axes, bytes, cause) grouped and counted.
std::string collectives_table(const std::vector<partition::CollectiveLine>& lines);
/// One line about operations gathered for want of a handler, and one for each of the largest.
std::string gathered_text(const ir::Module& source, const partition::Partitioned& program);
double gathered_share(const partition::Partitioned& program);

}  // namespace shardwright::cli
