#pragma once
// A mesh: named axes over the devices of a program.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "mesh/axis_ref.h"

namespace shardwright::mesh {

struct Axis {
    std::string name;
    std::int64_t size = 1;
    friend bool operator==(const Axis&, const Axis&) = default;
};

/// Named, ordered axes; the first is the most major. Devices are numbered row-major over the axes
/// ("positions") unless `device_ids` gives an explicit order. Nothing here costs time or memory in
/// the number of devices unless device ids were written out by the user.
class Mesh {
  public:
    Mesh() = default;
    Mesh(std::string name, std::vector<Axis> axes)
        : name_(std::move(name)), axes_(std::move(axes)) {}

    /// Parses the command-line form `data=4,model=2`. Rejects duplicate names, sizes < 1, more than
    /// 255 axes, and a device count over 2^40.
    static Result<Mesh> parse(std::string_view text, std::string name = "mesh");

    const std::string& name() const { return name_; }
    void set_name(std::string name) { name_ = std::move(name); }
    std::span<const Axis> axes() const { return axes_; }
    std::size_t rank() const { return axes_.size(); }
    std::int64_t device_count() const;
    /// The index of the axis called `name`, if there is one.
    std::optional<std::size_t> find(std::string_view name) const;
    AxisRef full(std::size_t axis) const {
        AxisRef ref;
        ref.axis = static_cast<std::uint32_t>(axis) & 0xFFu;
        ref.size = static_cast<std::uint32_t>(axes_[axis].size);
        return ref;
    }
    bool is_full(const AxisRef& ref) const {
        return ref.pre == 1 && ref.size == static_cast<std::uint32_t>(axes_[ref.axis].size);
    }
    /// All axes in order.
    AxisList all_axes() const;

    /// Explicit device order (position -> device id); empty means the identity.
    const std::vector<std::int64_t>& device_ids() const { return device_ids_; }
    void set_device_ids(std::vector<std::int64_t> ids) { device_ids_ = std::move(ids); }
    /// A mesh of one device with this id, without axes (Shardy's maximal mesh).
    static Mesh maximal(std::string name, std::int64_t device);
    bool is_maximal() const { return axes_.empty() && device_ids_.size() == 1; }

    /// Linear index (major to minor) of the device at `position` along `axes`: which shard it
    /// holds.
    std::int64_t index_along(std::int64_t position, std::span<const AxisRef> axes) const;
    /// The position that differs from `position` only along `axes`, where its linear index is
    /// `index`.
    std::int64_t with_index(std::int64_t position, std::span<const AxisRef> axes,
                            std::int64_t index) const;

    /// `data=4,model=2`.
    std::string text() const;
    friend bool operator==(const Mesh&, const Mesh&) = default;

  private:
    std::string name_ = "mesh";
    std::vector<Axis> axes_;
    std::vector<std::int64_t> device_ids_;
};

/// `"x"` or `"x":(1)2` for messages and Shardy text.
std::string to_text(const Mesh& mesh, const AxisRef& ref);

/// Explicit device groups of a collective over `axes`: each group lists positions in major-to-minor
/// order of `axes`; groups ordered by their smallest position. For exporters and executors only:
/// its size is the number of devices.
std::vector<std::vector<std::int64_t>> device_groups(const Mesh& mesh,
                                                     std::span<const AxisRef> axes);

}  // namespace shardwright::mesh
