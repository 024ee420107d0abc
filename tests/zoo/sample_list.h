#pragma once
// The models and plans of samples/, as data.

#include <string>
#include <vector>

#include "plan/plan.h"
#include "zoo/zoo.h"

namespace shardwright::test {

struct Sample {
    std::string name;  ///< file: NAME.mlir and NAME.shardplan.json
    std::string kind;  ///< of the zoo
    zoo::Options options;
    std::string mesh;
    std::vector<plan::Annotation> annotations;
};

inline const std::vector<Sample>& samples() {
    static const std::vector<Sample> all = {
        {"mlp", "mlp", {}, "data=2,model=4", {{"x", "[data, -]"}, {"w1", "[-, model]"}}},
        {"mlp-deep",
         "mlp",
         {{"layers", "12"}, {"hidden", "256"}, {"batch", "64"}, {"activation", "gelu"}},
         "data=4,model=2",
         {{"x", "[data, -]"}, {"w?", "[data, model]"}, {"w1?", "[data, model]"}}},
        {"transformer",
         "transformer",
         {},
         "data=2,model=4",
         {{"tokens", "[data, -]"},
          {"layer_*/attention/wq", "[-, model, -]"},
          {"layer_*/attention/wk", "[-, model, -]"},
          {"layer_*/attention/wv", "[-, model, -]"},
          {"layer_*/attention/wo", "[model, -, -]"},
          {"layer_*/ffn/w_gate", "[-, model]"},
          {"layer_*/ffn/w_up", "[-, model]"},
          {"layer_*/ffn/w_down", "[model, -]"}}},
        {"transformer-fsdp",
         "transformer",
         {{"layers", "4"}, {"batch", "8"}, {"kv_heads", "2"}, {"tied", "true"}, {"dtype", "bf16"}},
         "fsdp=8",
         {{"tokens", "[fsdp, -]"},
          {"embedded", "[fsdp, -, -]"},
          {"embedding", "[fsdp, -]"},
          {"layer_*/attention/w?", "[fsdp, -, -]"},
          {"layer_*/ffn/w_*", "[fsdp, -]"}}},
        {"transformer-scan",
         "transformer",
         {{"layers", "8"},
          {"scan", "true"},
          {"positions", "learned"},
          {"norm", "layer"},
          {"gated", "false"},
          {"activation", "gelu"},
          {"lookup", "onehot"}},
         "data=2,model=4",
         {{"tokens", "[data, -]"},
          {"embedded", "[data, -, -]"},
          {"layers/attention/wq", "[-, data, model, -]"},
          {"layers/attention/wk", "[-, data, model, -]"},
          {"layers/attention/wv", "[-, data, model, -]"},
          {"layers/attention/wo", "[-, model, -, data]"},
          {"layers/ffn/w_up", "[-, data, model]"},
          {"layers/ffn/w_down", "[-, model, data]"}}},
    };
    return all;
}

}  // namespace shardwright::test
