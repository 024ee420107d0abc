// Policy `gspmd`: for now completes as `shardy` does, without its priorities.
#include "propagation/policies.h"

namespace shardwright::propagation {

void complete_gspmd(Engine& engine) {
    engine.admit_all();
    complete_shardy(engine);
}

}  // namespace shardwright::propagation
