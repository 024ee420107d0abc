#!/usr/bin/env bash
# Sets a Debian 12 machine up, builds everything (release) and runs all tests.
# Usage: bash tests/run.sh [ctest options, e.g. -R partition]
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
build="$root/build/tests"
source "$root/app/packages.sh"
install_missing $SHARDWRIGHT_BUILD_PACKAGES $SHARDWRIGHT_TEST_PACKAGES
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON >/dev/null
cmake --build "$build"
cd "$build"
QT_QPA_PLATFORM=offscreen ctest --output-on-failure --no-tests=error -j "$(nproc)" "$@"
