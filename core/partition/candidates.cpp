#include "partition/candidates.h"

#include <algorithm>
#include <numeric>

namespace shardwright::partition {
namespace {

using rules::DimFactor;
using rules::DimMapping;
using rules::Rule;

/// Takes from the front of `axes` what cuts `size` exactly; an axis that goes in only partly is
/// split.
AxisList take_dividing(AxisList& axes, std::int64_t size) {
    AxisList taken;
    while (!axes.empty() && size > 1) {
        AxisRef& front = axes.front();
        const std::int64_t common = std::gcd(size, std::int64_t{front.size});
        if (common == 1) break;
        AxisRef part = front;
        part.size = static_cast<std::uint32_t>(common);
        taken.push_back(part);
        size /= common;
        if (common == front.size) {
            axes.erase(axes.begin());
        } else {
            front.pre = part.next_pre() & 0xFFFFFFu;
            front.size /= part.size;
            break;
        }
    }
    return mesh::merge_neighbours(view(taken));
}

bool overlaps_any(const AxisList& axes, const Assignment& a, std::size_t but) {
    for (std::size_t f = 0; f < a.axes.size(); ++f) {
        if (f == but) continue;
        for (const AxisRef& ref : axes)
            if (mesh::overlaps(ref, view(a.axes[f]))) return true;
    }
    return false;
}

/// Adds what `from` says of factors that `to` leaves whole, where axes are free.
void merge_into(Assignment& to, const Assignment& from) {
    for (std::size_t f = 0; f < to.axes.size(); ++f) {
        if (from.axes[f].empty() || !to.axes[f].empty()) continue;
        if (!overlaps_any(from.axes[f], to, f)) to.axes[f] = from.axes[f];
    }
}

class Collector {
  public:
    Collector(const Rule& rule, std::size_t limit) : rule_(rule), limit_(limit) {}
    void add(const Assignment& a) {
        if (!is_valid(rule_, a)) return;
        if (std::find(found_.begin(), found_.end(), a) == found_.end()) found_.push_back(a);
    }
    /// All combinations of options, factor by factor.
    bool combine(const std::vector<std::vector<AxisList>>& options, Assignment& a, std::size_t f) {
        if (f == options.size()) {
            add(a);
            return ++leaves_ <= limit_;
        }
        for (const AxisList& option : options[f]) {
            a.axes[f].clear();
            if (!option.empty() && overlaps_any(option, a, f)) continue;
            a.axes[f] = option;
            if (!combine(options, a, f + 1)) return false;
            a.axes[f].clear();
        }
        return true;
    }
    std::vector<Assignment> take() { return std::move(found_); }

  private:
    const Rule& rule_;
    std::size_t limit_;
    std::size_t leaves_ = 0;
    std::vector<Assignment> found_;
};

bool in_results(const Rule& rule, std::size_t factor) {
    for (const rules::TensorMapping& result : rule.results)
        for (const DimMapping& dim : result)
            for (const DimFactor& f : dim)
                if (f.factor == factor) return true;
    return false;
}

}  // namespace

Layout tensor_layout(const Rule& rule, const Assignment& a, std::size_t t) {
    const rules::TensorMapping& mapping = rule.tensor(t);
    Layout layout = Layout::replicated(mapping.size());
    for (std::size_t d = 0; d < mapping.size(); ++d)
        for (const DimFactor& f : mapping[d])
            layout.dims[d] = joined(layout.dims[d], a.axes[f.factor]);
    layout.canonicalise();
    return layout;
}

AxisList reduction_axes(const Rule& rule, const Assignment& a) {
    AxisList all;
    for (std::size_t f = 0; f < rule.factors.size(); ++f) {
        if (a.axes[f].empty()) continue;
        const rules::FactorKind kind = rule.factors[f].kind;
        if (kind != rules::FactorKind::kReduction && kind != rules::FactorKind::kScattered &&
            kind != rules::FactorKind::kIndexed)
            continue;
        if (!in_results(rule, f)) all.insert(all.end(), a.axes[f].begin(), a.axes[f].end());
    }
    std::sort(all.begin(), all.end());
    return mesh::merge_neighbours(view(all));
}

Assignment project(const Rule& rule, const Layout& layout, std::size_t t,
                   const Shardable& shardable) {
    Assignment a;
    a.axes.resize(rule.factors.size());
    const rules::TensorMapping& mapping = rule.tensor(t);
    for (std::size_t d = 0; d < mapping.size() && d < layout.rank(); ++d) {
        const AxisList& axes = layout.dims[d];
        if (mapping[d].size() == 1) {
            const std::uint16_t f = mapping[d][0].factor;
            if (shardable[f]) a.axes[f] = axes;
            continue;
        }
        AxisList rest(axes);
        for (const DimFactor& f : mapping[d]) {
            const AxisList part = take_dividing(rest, f.size);
            if (shardable[f.factor]) a.axes[f.factor] = part;
            // The next factor is cut only when this one is cut to single pieces.
            if (mesh::product(part) != f.size || !shardable[f.factor]) break;
        }
    }
    return a;
}

bool is_valid(const Rule& rule, const Assignment& a) {
    for (std::size_t t = 0; t < rule.tensor_count(); ++t)
        for (const DimMapping& dim : rule.tensor(t)) {
            if (dim.size() < 2) continue;
            bool may_cut = true;
            for (const DimFactor& f : dim) {
                const std::int64_t n = mesh::product(a.axes[f.factor]);
                if (n > 1 && (!may_cut || f.size % n != 0)) return false;
                if (n != f.size) may_cut = false;
            }
        }
    for (std::size_t f = 0; f < a.axes.size(); ++f)
        if (!a.axes[f].empty() && overlaps_any(a.axes[f], a, f)) return false;
    return true;
}

std::vector<Assignment> candidates(const Rule& rule, std::span<const Layout> tensors,
                                   const Shardable& shardable, std::size_t limit) {
    const std::size_t factors = rule.factors.size();
    std::vector<Assignment> own;  // results first
    for (std::size_t t = rule.operands.size(); t < tensors.size(); ++t)
        own.push_back(project(rule, tensors[t], t, shardable));
    for (std::size_t t = 0; t < rule.operands.size(); ++t)
        own.push_back(project(rule, tensors[t], t, shardable));
    Assignment none;
    none.axes.resize(factors);

    std::vector<std::vector<AxisList>> options(factors);
    std::size_t combinations = 1;
    for (std::size_t f = 0; f < factors; ++f) {
        for (const Assignment& a : own) {
            const auto& list = options[f];
            if (!a.axes[f].empty() && std::find(list.begin(), list.end(), a.axes[f]) == list.end())
                options[f].push_back(a.axes[f]);
        }
        options[f].emplace_back();
        combinations = std::min<std::size_t>(combinations * options[f].size(), 1u << 20);
    }
    Collector collector(rule, limit);
    for (std::size_t i = 0; i < own.size(); ++i) {
        Assignment merged = own[i];
        collector.add(merged);
        for (std::size_t j = 0; j < own.size(); ++j) merge_into(merged, own[j]);
        collector.add(merged);
    }
    if (combinations <= limit) {
        collector.combine(options, none, 0);
        none.axes.assign(factors, {});
    } else {
        for (const Assignment& a : own)
            for (const Assignment& b : own) {
                Assignment merged = a;
                merge_into(merged, b);
                collector.add(merged);
            }
    }
    collector.add(none);
    return collector.take();
}

}  // namespace shardwright::partition
