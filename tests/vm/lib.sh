# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Words of the module tests; they run in the VM, from the repository's directory.
#
# A test file sources this, defines functions test_NAME, and ends with `run_tests`.
# Each test runs by itself under `set -e`, after before_each; what it prints is shown if
# it fails.

# In a kernel's tree all lies in one folder, see kselftest/.
lib=tests/vm
[ ! -e "${0%/*}/kselftest.sh" ] || lib=${0%/*}

tools=$PWD/build/tests/vm
genl=$tools/fmp_genl
tcp=$tools/tcp_stream
# shellcheck disable=SC2034
fmp_load=$PWD/build/tests/bench/fmp_load
modules=${FMP_MODULES:-$PWD/build/kernel/${FMP_KERNEL:-6.1}}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# The three stations: handheld bb0 in $h, attacker bb1 in $a, friend bb2 in $f.
h=fmp-$$-h a=fmp-$$-a f=fmp-$$-f
h4=10.9.0.1 a4=10.9.0.2 f4=10.9.0.3
h6=fd09::1 a6=fd09::2 f6=fd09::3
# What the driver gives bb0, bb1, bb2.
# shellcheck disable=SC2034
h_mac=02:66:6d:70:00:00 a_mac=02:66:6d:70:00:01 f_mac=02:66:6d:70:00:02

fail() {
    echo "$*" >&2
    exit 1
}

uptime() {
    read -r now _ </proc/uptime
    echo "${now%.*}"
}

. "$lib/patience.sh"

# wait_until SECONDS COMMAND...
wait_until() {
    end=$(($(uptime) + $1 * patience))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$(uptime)" -le "$end" ] || fail "gave up waiting for: $*"
        sleep 0.05
    done
}

# same WANTED GOT
same() {
    [ "$1" = "$2" ] || fail "wanted: $1
got:    $2"
}

# more NUMBER THAN
more() {
    [ "$1" -gt "$2" ] || fail "wanted more than $2, got $1"
}

in_h() { ip netns exec "$h" "$@"; }
in_a() { ip netns exec "$a" "$@"; }
in_f() { ip netns exec "$f" "$@"; }
hg() { in_h "$genl" "$@"; }

# refused ERRNO COMMAND...: it must be, with a text.
refused() {
    errno=$1
    shift
    said=$("$@" 2>&1) && fail "not refused: $*: $said"
    case $said in
    "refused $errno: "[A-Za-z]*) ;;
    *) fail "wanted: refused $errno with a text
got:    $said (from: $*)" ;;
    esac
}

# listen NUMBER: that many events into $tmp/events, in the background; wait for it.
listen() {
    timeout $((60 * patience)) "$genl" events "$1" >"$tmp/events" &
    wait_until 10 grep -q listening "$tmp/events"
}

# field KEY: the value of KEY=VALUE on standard input.
field() { tr ' ' '\n' | sed -n "s/^$1=//p"; }

# Counter KEY of the filter on device $2 of the handheld.
dev_count() { hg devs | grep "^${2:-bb0} " | field "$1"; }
# Counter KEY of the radio of station $2 (h, a, f).
radio_count() {
    case ${2:-h} in h) dev=bb0 ns=$h ;; a) dev=bb1 ns=$a ;; f) dev=bb2 ns=$f ;; esac
    ip netns exec "$ns" ethtool -S "$dev" | sed -n "s/^ *$1: //p"
}

# reaches NAMESPACE ADDRESS, silent NAMESPACE ADDRESS
# The first ping may be spent on finding a neighbour, which a block held up before.
reaches() {
    for try in 1 2 3 4; do
        ! ip netns exec "$1" ping -q -c 1 -W 2 "$2" >/dev/null || return 0
    done
    fail "$1 does not reach $2 ($try tries)"
}
silent() {
    ! ip netns exec "$1" ping -q -c 2 -i 0.1 -W 1 "$2" >/dev/null || fail "$1 reaches $2"
}

# transfer FROM TO ADDRESS BYTES: by TCP, between namespaces; fails if a byte is lost.
transfer() {
    timeout $((60 * patience)) ip netns exec "$2" "$tcp" serve 7001 >"$tmp/served" &
    wait_until 10 grep -q listening "$tmp/served"
    timeout $((60 * patience)) ip netns exec "$1" "$tcp" send "$3" 7001 "$4"
    wait
    same "$4 bytes intact" "$(tail -n 1 "$tmp/served")"
}

load() { # PARAMETER=VALUE... of fmp_baseband; those of fmp in $fmp_parameters
    # shellcheck disable=SC2086
    insmod "$modules/fmp.ko" ${fmp_parameters:-}
    insmod "$modules/fmp_baseband.ko" "$@"
}

unload() {
    rmmod fmp_baseband
    rmmod fmp
}

# station NAMESPACE DEVICE IPV4 IPV6
station() {
    ip netns add "$1"
    ip link set "$2" netns "$1"
    ip -n "$1" link set lo up
    ip -n "$1" addr add "$3/24" dev "$2"
    ip -n "$1" addr add "$4/64" dev "$2" nodad
    ip -n "$1" link set "$2" up
}

world_up() { # PARAMETER=VALUE... of fmp_baseband
    load stations=3 "$@"
    station "$h" bb0 $h4 $h6
    station "$a" bb1 $a4 $a6
    station "$f" bb2 $f4 $f6
    wait_until 10 in_a ping -q -c 1 -W 1 $h4
    wait_until 10 in_f ping -q -c 1 -W 1 $h6
}

world_down() {
    # Fetched: a namespace lives on for as long as a dying TCP connection holds it.
    for pair in "$h bb0" "$a bb1" "$f bb2"; do
        ns=${pair% *}
        [ -e "/run/netns/$ns" ] || continue
        ip -n "$ns" link set "${pair#* }" netns 1
        ip netns del "$ns"
    done
    unload
}

# No rule, nothing attached.
fresh() {
    hg flush
    hg detach bb0 >/dev/null 2>&1 || true
}

before_each() { :; }

# The tests that will be run, before they are.
show_plan() { :; }

# show_result STATUS TEST: 77 says that it could not be done here; what it said is in $tmp/out.
show_result() {
    case $1 in
    0) echo "ok $2" ;;
    77) echo "skip $2: $(tail -n 1 "$tmp/out")" ;;
    *)
        echo "FAIL $2"
        sed 's/^/    /' "$tmp/out"
        ;;
    esac
}

run_tests() {
    rc=0
    # shellcheck disable=SC2046
    set -- $(sed -n 's/^\(test_[a-z0-9_]*\)().*/\1/p' "$0" | grep -x "${FMP_TEST:-.*}")
    show_plan "$@"
    for t; do
        (
            set -e
            before_each
            "$t"
        ) >"$tmp/out" 2>&1
        status=$?
        show_result $status "$t"
        case $status in 0 | 77) ;; *) rc=1 ;; esac
    done
    return $rc
}

# shellcheck source=kselftest/kselftest.sh
[ "$lib" = tests/vm ] || . "$lib/kselftest.sh"
