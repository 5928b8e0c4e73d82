# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The world of the demo and of the end-to-end tests: a handheld, an attacker, a
# friend and a router, each in a network namespace of its own, on one virtual
# radio. Sourced, not run; needs root, and a kernel that takes our modules.
#
#   bb0 handheld 192.0.2.1    bb1 attacker 192.0.2.66 (and .67 .. .71)
#   bb2 friend   192.0.2.10   bb3 router   192.0.2.254, the handheld's default gateway
#
# Each has a cgroup of its own. The handheld's holds its daemons and the kernel
# thread that receives for bb0 (threaded NAPI), so its CPU time is the
# handheld's alone: receive path, IP, TCP, gateway, fmpd, service.

W=${W:-fmp$$-}
WORLD_NODES="handheld attacker friend router"
WORLD_DIR=${WORLD_DIR:-/run/fmp-world-$$}
HANDHELD_IP=192.0.2.1
ATTACKER_IP=192.0.2.66
FRIEND_IP=192.0.2.10
ROUTER_IP=192.0.2.254
PORT=8080
CGROUP=/sys/fs/cgroup
BUILD=${BUILD:-build}
BIN=$WORLD_DIR/build/bin # beside policies/, as in the repository
CONTROL=$WORLD_DIR/control

say() { printf '%s\n' "$*"; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# wait_until SECONDS WHAT COMMAND...: polls, so that nothing sleeps longer than it must. The
# VM's counted clock jumps while the host reads files for it: time alone proves nothing.
wait_until() {
    local end=$((SECONDS + $1 + 1)) tries=100 what=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ "$SECONDS" -lt "$end" ] || [ "$tries" -gt 0 ] || { printf 'gave up waiting for %s\n' "$what" >&2; return 1; }
        sleep 0.05
    done
}

node_dev() {
    case $1 in handheld) echo bb0 ;; attacker) echo bb1 ;; friend) echo bb2 ;; router) echo bb3 ;; esac
}

node_mac() { ip netns exec "$W$1" cat "/sys/class/net/$(node_dev "$1")/address"; }

# dev_stat NODE COUNTER: of the node's radio.
dev_stat() {
    local value
    read -r value <"$WORLD_DIR/sys-$1/class/net/$(node_dev "$1")/statistics/$2"
    echo "$value"
}

# node_exec NODE COMMAND...: becomes COMMAND in the node's namespace and cgroup; for a
# subshell, so that the process in the background is the command itself.
node_exec() {
    local node=$1
    shift
    echo "$BASHPID" >"$CGROUP/$W$node/cgroup.procs"
    exec ip netns exec "$W$node" "$@"
}

# in_node NODE COMMAND...: the same, waited for.
in_node() { (node_exec "$@"); }

# ctl ARGS...: fmpctl of the handheld, paid for by the one who asks.
ctl() { ip netns exec "${W}handheld" "$BIN/fmpctl" --control "$CONTROL" "$@"; }

world_module_dir() { echo "$BUILD/kernel/$(uname -r | cut -d. -f1,2)"; }

world_modules() {
    local dir
    dir=$(world_module_dir)
    [ -e "$dir/fmp.ko" ] || die "no modules for $(uname -r) in $dir: run make modules"
    insmod "$dir/fmp.ko"
    insmod "$dir/fmp_baseband.ko" stations=4 "$@"
}

# world_receiver: the kernel thread of the handheld's NAPI, once it is up.
world_receiver() { pgrep -x 'napi/bb0-.*'; }

# world_up [PARAMETER=VALUE...]: parameters of fmp_baseband.
world_up() {
    mkdir -p "$WORLD_DIR" "$BIN"
    # What is timed must not be read over the host's file system while it runs: programs are
    # copied, their libraries read once.
    cp "$BUILD"/bin/* "$BIN/"
    ldd "$BIN"/* 2>/dev/null | sed -n 's/.* => \(\/[^ ]*\).*/\1/p' | sort -u | xargs cat >/dev/null
    cp -r policies "$WORLD_DIR/"
    world_modules "$@"
    local node dev addr
    for node in $WORLD_NODES; do
        dev=$(node_dev "$node")
        ip netns add "$W$node"
        mkdir -p "$CGROUP/$W$node"
        ip link set "$dev" netns "$W$node"
        ip -n "$W$node" link set lo up
        case $node in
        handheld) addr=$HANDHELD_IP ;;
        attacker) addr=$ATTACKER_IP ;;
        friend) addr=$FRIEND_IP ;;
        router) addr=$ROUTER_IP ;;
        esac
        ip -n "$W$node" addr add "$addr/24" dev "$dev"
        # No router solicitations or duplicate tests in the middle of a measurement.
        ip netns exec "$W$node" sysctl -qw "net.ipv6.conf.$dev.disable_ipv6=1"
        # Its counters, readable from here without starting a program.
        mkdir -p "$WORLD_DIR/sys-$node"
        nsenter "--net=/run/netns/$W$node" mount -t sysfs sysfs "$WORLD_DIR/sys-$node"
        ip -n "$W$node" link set "$dev" up
    done
    for addr in 192.0.2.67 192.0.2.68 192.0.2.69 192.0.2.70 192.0.2.71; do
        ip -n "${W}attacker" addr add "$addr/24" dev bb1
    done
    ip -n "${W}handheld" route add default via "$ROUTER_IP"
    wait_until 5 "the handheld's receiver" world_receiver
    world_receiver >"$CGROUP/${W}handheld/cgroup.procs"
}

world_down() {
    handheld_stop 2>/dev/null || true
    local node
    for node in $WORLD_NODES; do
        if [ -d "$CGROUP/$W$node" ]; then
            # Kernel threads and we ourselves may be in there: back to the root.
            while read -r pid; do
                echo "$pid" >"$CGROUP/cgroup.procs" || true
            done <"$CGROUP/$W$node/cgroup.procs" 2>/dev/null
        fi
        ip netns pids "$W$node" 2>/dev/null | xargs -r kill -9 2>/dev/null || true
        umount "$WORLD_DIR/sys-$node" 2>/dev/null || true
        # Fetched: a dying TCP connection may hold the namespace, and so the radio.
        ip -n "$W$node" link set "$(node_dev "$node")" netns 1 2>/dev/null || true
        ip netns del "$W$node" 2>/dev/null || true
    done
    wait_until 5 "fmp_baseband to be free" rmmod fmp_baseband || true
    wait_until 5 "fmp to be free" rmmod fmp || true
    for node in $WORLD_NODES; do
        rmdir "$CGROUP/$W$node" 2>/dev/null || true
    done
    rm -rf "$WORLD_DIR"
}

# world_pki DIR: a CA, a client of it, and a client of a CA nobody trusts.
world_pki() {
    local dir=$1 ca
    [ ! -e "$dir/done" ] || return 0
    rm -rf "$dir"
    mkdir -p "$dir"
    for ca in ca rogueca; do
        openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj "/CN=fmp demo $ca" \
            -keyout "$dir/$ca.key" -out "$dir/$ca.crt" 2>/dev/null
    done
    world_cert "$dir" ca friend
    world_cert "$dir" rogueca rogue
    touch "$dir/done"
}

world_cert() {
    local dir=$1 ca=$2 name=$3
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=fmp demo $name" \
        -keyout "$dir/$name.key" -out "$dir/$name.csr" 2>/dev/null
    printf 'basicConstraints=CA:FALSE\nkeyUsage=digitalSignature\n' >"$dir/$name.ext"
    openssl x509 -req -in "$dir/$name.csr" -CA "$dir/$ca.crt" -CAkey "$dir/$ca.key" -CAcreateserial \
        -days 3650 -extfile "$dir/$name.ext" -out "$dir/$name.crt" 2>/dev/null
}

# world_policy FILE PKI LAYERS [RECONCILE]: the balanced ranks, with the demo's service.
world_policy() {
    cat >"$1" <<XML
<?xml version="1.0" encoding="UTF-8"?>
<policy xmlns="urn:fmp:policy:1" name="demo">
  <block layers="$3" mac="yes" duration="10min"/>
  <protect>
    <address>192.0.2.200</address>
  </protect>
  <gateway security="BcS" schema="$PWD/daemon/sample/orders.xsd" trust="$2/ca.crt" workers="1" user="nobody">
    <limits body="64KiB"/>
  </gateway>
  <enforce reconcile="${4:-30s}">
    <device>bb0</device>
  </enforce>
</policy>
XML
}

service_up() { ip netns exec "${W}handheld" ss -Hltn "sport = :$1" | grep LISTEN >/dev/null; }

# handheld_start POLICY ENFORCE: the service, then fmpd with its gateway.
handheld_start() {
    node_exec handheld "$BIN/fmp-orders" --listen 127.0.0.1:9000 >"$WORLD_DIR/orders.log" 2>&1 &
    ORDERS_PID=$!
    fmpd_start "$@"
    wait_until 20 "the service" service_up 9000
}

fmpd_start() {
    node_exec handheld "$BIN/fmpd" --foreground --policy "$1" --enforce "$2" \
        --listen "$HANDHELD_IP:$PORT" --backend http://127.0.0.1:9000/ --control "$CONTROL" \
        --gateway "$BIN/fmp-gateway" >>"$WORLD_DIR/fmpd.log" 2>&1 &
    FMPD_PID=$!
    wait_until 30 "fmpd" ctl status && wait_until 30 "the gateway" gateway_ready || {
        tail -5 "$WORLD_DIR/fmpd.log" >&2
        return 1
    }
}

gateway_pid() { ctl status --json | jq -re '[.. | objects | select(.record? == "gateway") | .pid][0] // empty | select(. > 0)'; }
gateway_ready() { gateway_pid && service_up "$PORT"; }

handheld_stop() {
    local pid
    for pid in ${FMPD_PID:-} ${ORDERS_PID:-}; do
        kill "$pid" 2>/dev/null || continue
        wait "$pid" 2>/dev/null || true
    done
    FMPD_PID='' ORDERS_PID=''
}

# handheld_clean: all rules away, as a person would.
handheld_clean() { ip netns exec "${W}handheld" "$BIN/fmpd" --teardown >/dev/null; }
