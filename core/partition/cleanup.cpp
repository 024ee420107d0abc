#include "partition/cleanup.h"

namespace shardwright::partition {

void clean_up(Partitioned& program, const Options& options) {
    if (options.dead_code) remove_dead_code(program);
    if (options.merge_all_reduces) merge_all_reduces(program);
    if (options.reduce_scatter) reduce_scatters(program);
    if (options.dead_code) remove_dead_code(program);
}

}  // namespace shardwright::partition
