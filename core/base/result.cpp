#include "base/result.h"

#include <fmt/format.h>

namespace shardwright {

std::string Diagnostic::text() const {
    std::string place;
    if (!file.empty()) {
        place = line > 0 ? fmt::format("{}:{}:{}: ", file, line, column > 0 ? column : 1)
                         : fmt::format("{}: ", file);
    }
    return expected.empty() ? fmt::format("{}error: {}", place, what)
                            : fmt::format("{}error: {}, expected {}", place, what, expected);
}

int Diagnostic::exit_code() const {
    switch (fault) {
        case Fault::kBadInput:
            return 2;
        case Fault::kUnsupported:
            return 3;
        case Fault::kInterrupted:
            return 130;
    }
    return 2;
}

Diagnostic unsupported(std::string what) {
    Diagnostic diagnostic;
    diagnostic.what = "not supported: " + std::move(what);
    diagnostic.fault = Fault::kUnsupported;
    return diagnostic;
}

}  // namespace shardwright
