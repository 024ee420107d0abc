#pragma once
// The rule families; each fills in a builder for operations of its kind. Internal to core/rules.

#include "rules/rule_builder.h"

namespace shardwright::rules {

// rule_elementwise.cpp
void elementwise_rule(RuleBuilder& b);
/// Operand i and result i alike, whatever the other pairs look like.
void identity_rule(RuleBuilder& b, Travel travel = kFirst);
void barrier_rule(RuleBuilder& b);
// rule_made.cpp: values from nothing
void made_rule(RuleBuilder& b);
void rng_bit_generator_rule(RuleBuilder& b);
// rule_shape.cpp
void broadcast_rule(RuleBuilder& b);
void transpose_rule(RuleBuilder& b);
void bitcast_convert_rule(RuleBuilder& b);
void set_dimension_size_rule(RuleBuilder& b);
// rule_reshape.cpp
void reshape_rule(RuleBuilder& b);
// rule_window.cpp
void slice_rule(RuleBuilder& b);
void pad_rule(RuleBuilder& b);
void concatenate_rule(RuleBuilder& b);
void reverse_rule(RuleBuilder& b);
void reduce_window_rule(RuleBuilder& b);
void select_and_scatter_rule(RuleBuilder& b);
// rule_dot.cpp, rule_convolution.cpp, rule_reduce.cpp
void dot_rule(RuleBuilder& b);
void convolution_rule(RuleBuilder& b);
void reduce_rule(RuleBuilder& b);
/// The reduction of a region's combiner; kOther when it is not a known one.
ir::Reduction region_reduction(const ir::Module& module, ir::RegionId region);
// rule_gather.cpp, rule_scatter.cpp, rule_dynamic_slice.cpp
void gather_rule(RuleBuilder& b);
void scatter_rule(RuleBuilder& b);
void dynamic_slice_rule(RuleBuilder& b);
void dynamic_update_slice_rule(RuleBuilder& b);
// rule_linear_algebra.cpp
void sort_rule(RuleBuilder& b);
void top_k_rule(RuleBuilder& b);
void fft_rule(RuleBuilder& b);
void cholesky_rule(RuleBuilder& b);
void triangular_solve_rule(RuleBuilder& b);
void batch_norm_rule(RuleBuilder& b);
// rule_collective.cpp, rule_custom_call.cpp
void collective_rule(RuleBuilder& b);
void custom_call_rule(RuleBuilder& b);

}  // namespace shardwright::rules
