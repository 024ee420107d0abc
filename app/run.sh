#!/usr/bin/env bash
# Sets a Debian 12 machine up, builds both programs, and opens the studio on a model (default: a
# sample). Without a display it partitions, verifies and prints a report instead.
# Usage: bash app/run.sh [MODEL]
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
build="$root/build/release"
model="${1:-$root/samples/transformer.mlir}"
[ -e "$model" ] || { echo "error: no such model: $model" >&2; exit 2; }
model="$(cd "$(dirname "$model")" && pwd)/$(basename "$model")"

# A second start only looks whether a source is newer than the programs.
up_to_date() {
    [ -x "$build/bin/shardwright" ] && [ -x "$build/bin/shardwright-studio" ] &&
        [ -z "$(find "$root/core" "$root/app" "$root/views" "$root/resources" "$root/CMakeLists.txt" \
            -newer "$build/bin/.built" -type f -print -quit 2>/dev/null || echo missing)" ]
}
if ! up_to_date; then
    source "$root/app/packages.sh"
    install_missing $SHARDWRIGHT_BUILD_PACKAGES
    cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_UNITY_BUILD=ON -DSHARDWRIGHT_TESTS=OFF >/dev/null
    cmake --build "$build" --target shardwright shardwright-studio
    touch "$build/bin/.built"
fi

# The plan beside a model (MODEL.shardplan.json) comes with it.
plan=()
[ -e "${model%.*}.shardplan.json" ] && plan=(--plan "${model%.*}.shardplan.json")

has_display() {
    [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] &&
        "$build/bin/shardwright-studio" --check-display >/dev/null 2>&1
}
if has_display; then
    exec "$build/bin/shardwright-studio" --open "$model" "${plan[@]}"
fi

echo "No display: partitioning and verifying $model"
sharding=("${plan[@]}")
[ ${#plan[@]} -eq 0 ] && sharding=(--mesh "data=2,model=4")
"$build/bin/shardwright" info "$model"
echo
"$build/bin/shardwright" partition "$model" "${sharding[@]}"
echo
"$build/bin/shardwright" verify "$model" "${sharding[@]}" --fill-elided random:1
echo
"$build/bin/shardwright" estimate "$model" "${sharding[@]}"
picture="$build/studio.png"
if QT_QPA_PLATFORM=offscreen "$build/bin/shardwright-studio" --open "$model" "${plan[@]}" \
    --screenshot "$picture" --size 1600x1000 >/dev/null 2>&1; then
    echo
    echo "The studio's picture of it: $picture"
fi
