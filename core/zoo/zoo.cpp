#include "zoo/zoo.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "zoo/models.h"

namespace shardwright::zoo {

const std::vector<KindInfo>& kinds() {
    static const std::vector<KindInfo> all = {mlp_kind(), transformer_kind()};
    return all;
}

Result<ir::Module> build(std::string_view kind, const Options& options) {
    using Build = Result<ir::Module> (*)(const Settings&);
    static constexpr Build kBuilds[] = {build_mlp, build_transformer};
    for (std::size_t i = 0; i < kinds().size(); ++i) {
        if (kinds()[i].name != kind) continue;
        SW_TRY(const Settings settings, Settings::make(kinds()[i], options));
        return kBuilds[i](settings);
    }
    std::vector<std::string_view> names;
    for (const KindInfo& k : kinds()) names.push_back(k.name);
    return bad_input(fmt::format("unknown kind of model '{}'", kind),
                     fmt::format("one of {}", fmt::join(names, ", ")));
}

Status need_buildable(std::initializer_list<std::int64_t> sizes, std::string_view what) {
    double elements = 1;
    for (const std::int64_t size : sizes) elements *= static_cast<double>(size);
    if (elements <= 0x1p57) return {};
    return bad_input(fmt::format("{} of {:.3g} elements", what, elements), "at most 2^57");
}

}  // namespace shardwright::zoo
