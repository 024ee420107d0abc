#pragma once
// Errors as values. A user's mistake is a `Diagnostic`, ready to print; our own mistakes are
// assertions. No exception crosses the core's API.

#include <cassert>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace shardwright {

/// What kind of fault a diagnostic reports; it decides the exit code of the headless program.
enum class Fault : std::uint8_t {
    kBadInput,     ///< exit 2: malformed file, unknown name, contradiction in what the user asked
    kUnsupported,  ///< exit 3: well-formed, but asks for what this version cannot do
    kInterrupted,  ///< exit 130: the user stopped it
};

/// One error message: where, what, and what was expected instead.
struct Diagnostic {
    std::string what;         ///< "unknown operation 'stablehlo.foo'"
    std::string expected;     ///< "an operation of StableHLO 1.x"; may be empty
    std::string file = {};    ///< empty when the fault is not in a file
    std::int64_t line = 0;    ///< 1-based; 0 when unknown
    std::int64_t column = 0;  ///< 1-based; 0 when unknown
    Fault fault = Fault::kBadInput;

    /// `file:line:col: error: what, expected …`, without a trailing newline.
    std::string text() const;
    int exit_code() const;
};

/// A bad-input diagnostic without a place.
inline Diagnostic bad_input(std::string what, std::string expected = {}) {
    return Diagnostic{std::move(what), std::move(expected)};
}
/// "not supported: what" (exit 3).
Diagnostic unsupported(std::string what);

/// Either a value or a diagnostic (`std::expected` is not available in C++20).
template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Diagnostic error) : state_(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }
    T& value() & { return assert(ok()), *std::get_if<0>(&state_); }
    const T& value() const& { return assert(ok()), *std::get_if<0>(&state_); }
    T&& value() && { return assert(ok()), std::move(*std::get_if<0>(&state_)); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    const Diagnostic& error() const& { return assert(!ok()), *std::get_if<1>(&state_); }
    Diagnostic& error() & { return assert(!ok()), *std::get_if<1>(&state_); }
    Diagnostic&& error() && { return assert(!ok()), std::move(*std::get_if<1>(&state_)); }

  private:
    std::variant<T, Diagnostic> state_;
};

/// Success or a diagnostic.
template <>
class [[nodiscard]] Result<void> {
  public:
    Result() : state_(std::in_place_index<0>) {}
    Result(Diagnostic error) : state_(std::in_place_index<1>, std::move(error)) {}
    bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }
    const Diagnostic& error() const& { return assert(!ok()), *std::get_if<1>(&state_); }
    Diagnostic&& error() && { return assert(!ok()), std::move(*std::get_if<1>(&state_)); }

  private:
    std::variant<std::monostate, Diagnostic> state_;
};
using Status = Result<void>;

}  // namespace shardwright

// `SW_TRY(auto x, f())` binds the value or returns the diagnostic to the caller.
#define SW_CONCAT_INNER(a, b) a##b
#define SW_CONCAT(a, b) SW_CONCAT_INNER(a, b)
#define SW_TRY(binding, expression)                                \
    auto SW_CONCAT(sw_result_, __LINE__) = (expression);           \
    if (!SW_CONCAT(sw_result_, __LINE__).ok())                     \
        return std::move(SW_CONCAT(sw_result_, __LINE__)).error(); \
    binding = *std::move(SW_CONCAT(sw_result_, __LINE__))
#define SW_CHECK(expression)                                                                     \
    do {                                                                                         \
        if (auto sw_status = (expression); !sw_status.ok()) return std::move(sw_status).error(); \
    } while (false)
