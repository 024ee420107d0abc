# The Debian 12 packages that Shardwright needs; sourced by the start and test scripts.
# build: both programs; test: what tests and CI add.
SHARDWRIGHT_BUILD_PACKAGES="g++ cmake ninja-build ccache mold pkg-config qt6-base-dev qt6-svg-dev libgl-dev
  libgraphviz-dev nlohmann-json3-dev libfmt-dev libcli11-dev libdnnl-dev libtbb-dev libboost-dev
  libxxhash-dev zlib1g-dev libcairo2-dev fonts-dejavu-core"
SHARDWRIGHT_TEST_PACKAGES="libbenchmark-dev xvfb xauth qt6-qpa-plugins"
SHARDWRIGHT_CI_PACKAGES="clang-format clang-tidy-19 git"

# install_missing PACKAGE…: lists what is missing and installs it, with sudo when not root.
install_missing() {
    local missing=() package
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q "ok installed" || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    echo "Missing packages: ${missing[*]}"
    local as_root=""
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "error: not root and no sudo; as root run: apt-get install --no-install-recommends ${missing[*]}" >&2
            return 1
        fi
        as_root="sudo"
    fi
    $as_root apt-get update -qq || echo "warning: the package lists could not be refreshed" >&2
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
        >/dev/null
}
