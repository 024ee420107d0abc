#include "draw/colour.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numeric>

namespace shardwright::draw {
namespace {

constexpr std::array<Colour, 7> kAxisColours = {
    0xFF0072B2,  // blue
    0xFFE69F00,  // orange
    0xFF009E73,  // green
    0xFFCC79A7,  // purple
    0xFFD55E00,  // vermillion
    0xFF56B4E9,  // sky
    0xFFF0E442,  // yellow
};
constexpr Colour kBlack = 0xFF000000, kWhite = 0xFFFFFFFF;

double channel(Colour c, int shift) {
    return static_cast<double>((c >> shift) & 0xFFu);
}

double luminance(Colour c) {
    const auto linear = [](double v) {
        v /= 255;
        return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(channel(c, 16)) + 0.7152 * linear(channel(c, 8)) +
           0.0722 * linear(channel(c, 0));
}

std::string free_letter(const std::string& name, const std::vector<AxisStyle>& taken) {
    const auto is_free = [&](char c) {
        return std::none_of(taken.begin(), taken.end(),
                            [c](const AxisStyle& s) { return s.letter[0] == c; });
    };
    for (const char raw : name) {
        const char c = static_cast<char>(std::tolower(static_cast<unsigned char>(raw)));
        if (std::isalpha(static_cast<unsigned char>(c)) && is_free(c)) return std::string(1, c);
    }
    for (char c = 'a'; c <= 'z'; ++c)
        if (is_free(c)) return std::string(1, c);
    return "#";
}

}  // namespace

Colour mix(Colour a, Colour b, double part) {
    Colour out = 0;
    for (const int shift : {24, 16, 8, 0}) {
        const double v = channel(a, shift) * (1 - part) + channel(b, shift) * part;
        out |= static_cast<Colour>(std::lround(std::clamp(v, 0.0, 255.0))) << shift;
    }
    return out;
}

double contrast(Colour a, Colour b) {
    const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
    return x > y ? x / y : y / x;
}

std::vector<AxisStyle> axis_styles(const mesh::Mesh& mesh) {
    // Axes of size 1 shard nothing: the clear colours and first letters go to the others.
    std::vector<std::size_t> order(mesh.rank());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_partition(order.begin(), order.end(),
                          [&](std::size_t a) { return mesh.axes()[a].size > 1; });
    std::vector<AxisStyle> taken, styles(mesh.rank());
    for (std::size_t i = 0; i < order.size(); ++i) {
        AxisStyle style;
        style.name = mesh.axes()[order[i]].name;
        style.letter = free_letter(style.name, taken);
        const auto round = static_cast<double>(i / kAxisColours.size());
        style.fill =
            mix(kAxisColours[i % kAxisColours.size()], kWhite, std::min(0.35 * round, 0.7));
        style.text = contrast(style.fill, kBlack) >= 4.6 ? kBlack : kWhite;
        if (i % kAxisColours.size() == 0 && round == 0) style.text = kWhite;
        taken.push_back(style);
        styles[order[i]] = std::move(style);
    }
    return styles;
}

Colour part_colour(const AxisStyle& style, const mesh::AxisRef& ref, const mesh::Mesh& mesh) {
    if (ref.axis >= mesh.rank() || mesh.is_full(ref)) return style.fill;
    return mix(style.fill, style.text, ref.pre == 1 ? 0.12 : 0.24);
}

const Palette& light_palette() {
    static const Palette palette = {.background = 0xFFF4F5F7,
                                    .group = 0xFFFFFFFF,
                                    .group_header = 0xFFE3E8EF,
                                    .group_edge = 0xFF9AA5B4,
                                    .card = 0xFFFFFFFF,
                                    .card_header = 0xFFEEF1F5,
                                    .card_edge = 0xFF7C8796,
                                    .text = 0xFF15191E,
                                    .faint_text = 0xFF565F6B,
                                    .cell = 0xFFFFFFFF,
                                    .cell_edge = 0xFF2C333B,
                                    .edge = 0xFF8893A1,
                                    .edge_strong = 0xFF2F6FDE,
                                    .badge = 0xFFFFF3D6,
                                    .badge_text = 0xFF4A3300,
                                    .hot = 0xFFD55E00,
                                    .selection = 0xFF2F6FDE,
                                    .hover = 0xFF6A9BF0,
                                    .accept = 0xFF00845F,
                                    .warn = 0xFFB86E00,
                                    .refuse = 0xFFC62828};
    return palette;
}

const Palette& dark_palette() {
    static const Palette palette = {.background = 0xFF17191D,
                                    .group = 0xFF1F2227,
                                    .group_header = 0xFF2B3038,
                                    .group_edge = 0xFF5B6472,
                                    .card = 0xFF272B31,
                                    .card_header = 0xFF323841,
                                    .card_edge = 0xFF77818F,
                                    .text = 0xFFF0F2F5,
                                    .faint_text = 0xFFB3BBC6,
                                    .cell = 0xFF1B1E22,
                                    .cell_edge = 0xFFB9C1CC,
                                    .edge = 0xFF7F8A99,
                                    .edge_strong = 0xFF7FB0FF,
                                    .badge = 0xFF4A3A12,
                                    .badge_text = 0xFFFFE9B8,
                                    .hot = 0xFFFF8A3D,
                                    .selection = 0xFF7FB0FF,
                                    .hover = 0xFF5C8FE8,
                                    .accept = 0xFF35C99A,
                                    .warn = 0xFFF0B040,
                                    .refuse = 0xFFFF6B6B};
    return palette;
}

}  // namespace shardwright::draw
