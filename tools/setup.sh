# What ./run, ./test and tests/real/run share: messages, packages, building, a clean environment. Sourced by them with `root` set
# to the top folder. Everything here speaks on standard error, so that a program's standard output stays its own.
# shellcheck shell=bash

# Debian package | why. Names and contents as of Debian 12; Ubuntu 24.04 has the same ones.
run_packages='
cmake|configures the build
ninja-build|runs the build
g++|the C++20 compiler
qt6-base-dev|Qt Core, Network, Gui, Widgets, DBus and Test
libqt6opengl6-dev|Qt OpenGL, which Qt Charts draws on and asks for when the build is configured
qt6-charts-dev|Qt Charts
qt6-svg-dev|Qt SVG: icons, and charts saved as SVG
nlohmann-json3-dev|JSON: settings, log, wire
libtomlplusplus-dev|TOML: config.toml files of the tutorials and of other tools, which settings are read from
qtkeychain-qt6-dev|QtKeychain: keys that are kept in the keychain of the desktop
libsecret-1-0|the Secret Service, the keychain of GNOME and others
libboost-dev|Boost Asio and Beast: the HTTP server of the simulated endpoint, and the parser of what servers answer
libssl-dev|OpenSSL: TLS of the measuring manager
ca-certificates|the certificate authorities behind https endpoints
fonts-inter-variable|the face of the window
fonts-noto-core|Noto Sans: numbers with digits of one width
fonts-noto-mono|Noto Sans Mono: paths and JSON
'
# Only where Wayland is the sole display: Qt reaches every other desktop with what it brings along.
wayland_packages='
qt6-wayland|the window on a Wayland desktop without X
'
test_packages='
clang-format-16|the format check
xvfb|a screen for the end-to-end test
xauth|xvfb-run needs it
xdotool|clicks and types in the end-to-end test
imagemagick|screenshots of the end-to-end test
python3|checks what the end-to-end test wrote
groff-base|sets the man pages, to see that nothing is wrong with them
librsvg2-bin|reads charts saved as SVG, as the viewers of desktops do
poppler-utils|reads charts saved as PDF, and says which fonts are in them
'

say() { printf '%s\n' "$*" >&2; }
step_no=0
step_count=0
step() {
    step_no=$((step_no + 1))
    say "[$step_no/$step_count] $*"
}

# missing_packages TABLE: the rows of TABLE that are not installed, by a name of their own or as provided by another package.
missing_packages() {
    local installed name why
    # dpkg-query -W lists what dpkg ever knew: the status tells what is there.
    installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}, ${Provides}\n' |
        sed -n 's/^installed //p' | tr ',' '\n' | sed 's/ *(.*//; s/^ *//; s/ *$//')
    while IFS='|' read -r name why; do
        [ -n "$name" ] || continue
        grep -qxF -- "$name" <<<"$installed" || printf '%s|%s\n' "$name" "$why"
    done <<<"$1"
}

debian_like() {
    command -v apt-get >/dev/null && command -v dpkg-query >/dev/null && [ -r /etc/os-release ] || return 1
    local ID='' ID_LIKE=''
    # shellcheck source=/dev/null
    . /etc/os-release
    [[ " $ID $ID_LIKE " == *" debian "* ]]
}

# What to type on a distribution whose package manager we don't drive.
explain_other_distribution() {
    local ID='' ID_LIKE='' PRETTY_NAME='this system'
    # shellcheck source=/dev/null
    [ -r /etc/os-release ] && . /etc/os-release
    say "  $PRETTY_NAME has no Debian packages: nothing is installed for you. Needed are CMake 3.25, Ninja, a C++20 compiler,"
    say "  Qt 6.4 or later (Base, Charts, SVG), nlohmann-json 3.11, toml++ 3.3, QtKeychain and the Boost headers; the faces Inter, Noto Sans, Noto Sans Mono."
    case " $ID $ID_LIKE " in
        *" fedora "* | *" rhel "*)
            say "  sudo dnf install cmake ninja-build gcc-c++ qt6-qtbase-devel qt6-qtcharts-devel qt6-qtsvg-devel json-devel tomlplusplus-devel qtkeychain-qt6-devel libsecret boost-devel openssl-devel rsms-inter-fonts google-noto-sans-fonts google-noto-sans-mono-fonts"
            ;;
        *" arch "*)
            say "  sudo pacman -S --needed cmake ninja gcc qt6-base qt6-charts qt6-svg nlohmann-json tomlplusplus qtkeychain-qt6 libsecret boost openssl inter-font noto-fonts"
            ;;
        *" suse "* | *" opensuse "*)
            say "  sudo zypper install cmake ninja gcc-c++ qt6-base-devel qt6-charts-devel qt6-svg-devel nlohmann_json-devel tomlplusplus-devel qtkeychain-qt6-devel libsecret-1-0 libboost_headers-devel libopenssl-devel inter-fonts google-noto-sans-fonts"
            ;;
    esac
    say "  ./test needs clang-format 16, Xvfb with xvfb-run, xdotool and ImageMagick as well. Going on with what is here."
}

# as_root COMMAND...: as it is for root, else through sudo. Fails without a word when neither is possible.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif ! command -v sudo >/dev/null; then
        return 1
    elif [ -t 2 ] && [ -r /dev/tty ]; then
        sudo "$@"
    else # nobody to answer a question
        sudo -n "$@"
    fi
}

# install_packages TABLE: installs what is missing. A failure is told and is no end: the build says what it can't do without.
install_packages() {
    local missing name why names=() unknown=() log=$root/build/packages.log given_up=$root/build/packages.missing
    missing=$(missing_packages "$1")
    [ -n "$missing" ] || return 0
    # What failed within the last hour would fail again, and a start should not wait for it.
    if [ "$(cat "$given_up" 2>/dev/null)" = "$missing" ] && [ -n "$(find "$given_up" -mmin -60)" ]; then
        say "  Still missing, not tried again for an hour (or remove build/packages.missing): $(cut -d '|' -f 1 <<<"$missing" | paste -sd ' ')"
        return 0
    fi
    say "  Missing Debian packages:"
    while IFS='|' read -r name why; do
        say "    $name: $why"
    done <<<"$missing"
    mkdir -p "$root/build"
    : >"$log"

    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0 -q)
    if [ "$(id -u)" = 0 ]; then
        say "  Installing them (build/packages.log says how far it is) ..."
    elif command -v sudo >/dev/null; then
        say "  Installing them with sudo, which may ask for your password (build/packages.log says how far it is) ..."
    else
        say "  This user is not root, and there is no sudo to install them with."
        apt=(false)
    fi
    # apt-get update returns 0 without a network, with a warning.
    if ! as_root "${apt[@]}" update >>"$log" 2>&1 || grep -q '^W: Failed to fetch' "$log"; then
        [ "${apt[0]}" = false ] || say "  apt-get update failed: trying with the package lists that are here."
    fi
    while IFS='|' read -r name why; do
        if [ -n "$(apt-cache policy "$name" | sed -n '/Candidate: [^(]/p')" ]; then
            names+=("$name")
        else
            unknown+=("$name")
        fi
    done <<<"$missing"
    if [ ${#names[@]} -gt 0 ]; then
        if as_root "${apt[@]}" install -y --no-install-recommends "${names[@]}" >>"$log" 2>&1; then
            say "  Installed: ${names[*]}"
            packages_changed=1
        else
            tail -n 3 "$log" | sed 's/^/    /' >&2
            say "  Could not install them. By hand, as root and with a network:"
            say "    apt-get update && apt-get install --no-install-recommends ${names[*]}"
        fi
    fi
    if [ ${#unknown[@]} -gt 0 ]; then
        say "  Not in this system's package lists: ${unknown[*]}. They are in Debian 12 and Ubuntu 24.04 (universe)."
    fi
    missing=$(missing_packages "$1")
    if [ -n "$missing" ]; then
        say "  Going on without."
        printf '%s\n' "$missing" >"$given_up"
    else
        rm -f "$given_up"
    fi
}

# set_up TABLE: packages, whichever system this is; ends the script where not even a configure is possible.
# Sets packages_changed to 1 when something was installed, since a configured build may have seen the old state.
packages_changed=0
set_up() {
    local program absent=()
    for program in cmake ninja c++; do
        command -v "$program" >/dev/null || absent+=("$program")
    done
    if debian_like; then
        [ ${#absent[@]} = 0 ] || rm -f "$root/build/packages.missing"
        install_packages "$1"
    else
        # Once it has been configured here, there is nothing to explain.
        if [ ${#absent[@]} -gt 0 ] || ! compgen -G "$root/build/*/build.ninja" >/dev/null; then
            explain_other_distribution
        fi
    fi
    absent=()
    for program in cmake ninja c++; do
        command -v "$program" >/dev/null || absent+=("$program")
    done
    if [ ${#absent[@]} -gt 0 ]; then
        say "Can't build: not found: ${absent[*]}."
        return 1
    fi
}

# How many compilers at once: a core each, and 1.5 GiB each (Beast, nlohmann-json or Qt Charts under ASan take 1 GiB).
build_jobs() {
    local cores kib limit jobs
    cores=$(nproc)
    kib=$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo)
    limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || echo max)
    if [ "$limit" != max ] && [ $((limit / 1024)) -lt "$kib" ]; then
        kib=$((limit / 1024))
    fi
    jobs=$((kib / (1536 * 1024)))
    [ "$jobs" -le "$cores" ] || jobs=$cores
    [ "$jobs" -ge 1 ] || jobs=1
    echo "$jobs"
}

# needs_configure PRESET: never done to the end, done at another place (a moved or copied clone), or new packages since.
# Changed CMake files are ninja's own job.
needs_configure() {
    local folder=$root/build/$1
    [ "$packages_changed" = 1 ] || [ ! -f "$folder/configured" ] ||
        ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"
}

# configure PRESET: anew, and marked when it came to its end, since a broken-off one leaves a build.ninja that can't build.
configure() {
    rm -f "$root/build/$1/configured"
    (cd "$root" && cmake --fresh --preset "$1") 1>&2 && touch "$root/build/$1/configured"
}

# build PRESET TARGET...
build() {
    local preset=$1
    shift
    ninja -C "$root/build/$preset" -j "$(build_jobs)" "$@" 1>&2
}

# in_clean_home FOLDER COMMAND...: where COMMAND sees none of the caller's endpoints, keys, settings and screens. FOLDER is emptied.
in_clean_home() {
    local name unset=() home=$1
    shift
    for name in $(compgen -e); do
        case "$name" in
            TAOTOKEN_* | TOKENPACE_* | OPENAI_* | ANTHROPIC_* | XDG_* | QT_* | DISPLAY | WAYLAND_DISPLAY | *_PROXY | *_proxy)
                unset+=(-u "$name")
                ;;
        esac
    done
    rm -rf "$home"
    mkdir -p "$home"
    mkdir -m 700 "$home/runtime"
    env "${unset[@]}" HOME="$home" XDG_RUNTIME_DIR="$home/runtime" LC_ALL=C.UTF-8 "$@"
}
