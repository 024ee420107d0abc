#pragma once
// Attributes of HLO instructions, from text to the IR's structs.

#include "formats/hlo_cursor.h"
#include "formats/hlo_syntax.h"
#include "ir/attributes.h"

namespace shardwright::formats::hlo {

/// Looks an instruction's attributes up and parses them; errors tell the place.
class AttributeReader {
  public:
    AttributeReader(const Source& source, const Instruction& instruction)
        : source_(source), instruction_(instruction) {}

    bool has(std::string_view key) const { return instruction_.attribute(key).data() != nullptr; }
    /// The raw value; an error when it is missing.
    Result<std::string_view> required(std::string_view key) const;
    Result<Dims> dims(std::string_view key) const;  ///< missing = empty
    Result<Dims> required_dims(std::string_view key) const;
    Result<std::int64_t> integer(std::string_view key, std::int64_t otherwise) const;
    Result<bool> boolean(std::string_view key, bool otherwise) const;
    Result<double> number(std::string_view key, double otherwise) const;
    std::string_view word(std::string_view key) const { return instruction_.attribute(key); }
    /// A string in quotes, unescaped; "" when missing.
    std::string string(std::string_view key) const { return unquoted(instruction_.attribute(key)); }

    Result<ir::SliceAttributes> slice() const;
    Result<ir::PadAttributes> padding(std::size_t rank) const;
    Result<ir::DotAttributes> dot() const;
    Result<ir::ConvolutionAttributes> convolution() const;
    /// `window={size=… stride=… pad=…}` with `rank` dimensions; missing parts have their defaults.
    Result<ir::WindowAttributes> window(std::size_t rank) const;
    Result<ir::GatherAttributes> gather() const;
    Result<ir::ScatterAttributes> scatter() const;
    Result<ir::CompareAttributes> compare() const;
    Status precision(ir::Precision& lhs, ir::Precision& rhs) const;
    /// `{{0,1},{2,3}}`, `[2,4]<=[4,2]T(1,0)` or `mesh['x'=2,'y'=4] {'x'}`, expanded.
    Result<std::vector<std::vector<std::int64_t>>> groups(std::string_view key) const;

    Diagnostic error(std::string_view at, std::string what, std::string expected) const {
        return source_.error(at.data() ? at : instruction_.name, std::move(what),
                             std::move(expected));
    }

  private:
    const Source& source_;
    const Instruction& instruction_;
};

}  // namespace shardwright::formats::hlo
