#include "ir/attributes.h"

namespace shardwright::ir {

Attributes::Attributes() noexcept = default;
Attributes::Attributes(const Attributes& other) = default;
Attributes::Attributes(Attributes&& other) noexcept = default;
Attributes& Attributes::operator=(const Attributes& other) = default;
Attributes& Attributes::operator=(Attributes&& other) noexcept = default;
Attributes::~Attributes() = default;

}  // namespace shardwright::ir
