#pragma once
// Small programs, one for each kind of operation, with sizes derived from one number.

#include <vector>

#include "harness.h"

namespace shardwright::test {

struct Program {
    const char* name;
    void (*build)(Case& c, std::int64_t size);
};
const std::vector<Program>& programs();

}  // namespace shardwright::test
