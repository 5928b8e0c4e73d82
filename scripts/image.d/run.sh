# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154,SC2034,SC2054 # qemu has commas in its words
#
# An image in an emulated machine, and the world outside: a switch with the machine's tap, an attacker, a friend and a
# router, each in a network namespace. Sourced by scripts/image, which is in a network namespace of its own by then.

# shellcheck source=scripts/lib/world.sh
. scripts/lib/world.sh

MACHINE=''
run_dir=$(mktemp -d "${TMPDIR:-/tmp}/fmp-image.XXXXXX")

world_ends() {
    [ -z "$MACHINE" ] || kill "$MACHINE" 2>/dev/null || true
    local node
    for node in attacker friend router; do
        ip netns pids "$node" 2>/dev/null | xargs -r kill -9 2>/dev/null || true
    done
    wait
    rm -rf "$run_dir"
}
trap world_ends EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# node NAME ADDRESS...: a namespace with a cable to the switch.
node() {
    local name=$1 address
    ip netns add "$name"
    ip link add "to-$name" type veth peer name eth0 netns "$name"
    ip link set "to-$name" master air up
    # As a wire would bring them: frame by frame.
    ip netns exec "$name" ethtool -K eth0 tx off sg off tso off gso off >/dev/null 2>&1 || true
    shift
    for address; do
        ip -n "$name" addr add "$address/24" dev eth0
    done
    ip -n "$name" link set lo up
    ip netns exec "$name" sysctl -qw net.ipv6.conf.all.disable_ipv6=1
    ip -n "$name" link set eth0 up
}

outside_up() {
    mount -t tmpfs tmpfs /run
    mkdir /run/netns
    ip link set lo up
    ip link add air type bridge
    echo 0 2>/dev/null >/proc/sys/net/bridge/bridge-nf-call-iptables || true
    sysctl -qw net.ipv6.conf.all.disable_ipv6=1
    ip link set air up
    ip tuntap add dev tap0 mode tap 2>/dev/null || die "cannot make a tap: no rights for /dev/net/tun?"
    ip link set tap0 master air up
    node attacker "$ATTACKER_IP"
    node friend "$FRIEND_IP"
    node router "$ROUTER_IP"
}

# The machine's command line, in the array machine. $1: -serial of its console.
machine_of() {
    local system=arm net=virtio-net-device,netdev=wire,mac=02:66:6d:70:00:00
    local append="console=ttyAMA0 quiet panic=5 fmp_address=$HANDHELD_IP/24 fmp_gateway=$ROUTER_IP ${fmp_words:-}"
    case $arch-$board in
    armhf-virt) machine=(-machine virt,highmem=off -cpu cortex-a7) ;;
    armhf-vexpress)
        machine=(-audiodev none,id=sound -global pl041.audiodev=sound -machine vexpress-a15 -dtb "$image/vexpress.dtb")
        net=''
        ;;
    arm64-virt) system=aarch64 machine=(-machine virt -cpu cortex-a53) ;;
    esac
    local qemu=qemu-system-$system
    # Ours lacks one fault of that board's controller, see scripts/setup.d/qemu-arm.patch.
    [ "$board" = virt ] || ! [ -e build/vm/qemu-arm/format ] || qemu=build/vm/qemu-arm/qemu-system-arm
    machine=("$qemu" "${machine[@]}" -m "$mem" -kernel "$image/vmlinuz" -initrd "$image/initrd" -append "$append"
        -nodefaults -no-user-config -display none -monitor none -no-reboot -serial "$1"
        -drive "if=none,id=root,format=raw,readonly=on,file=$image/root.squashfs" -device virtio-blk-device,drive=root
        -drive "if=none,id=data,format=raw,file=$run_dir/data" -device virtio-blk-device,drive=data)
    [ -z "$mips_shift" ] || machine+=(-icount "shift=$mips_shift,sleep=on")
    if [ "$net" ]; then
        machine+=(-netdev tap,id=wire,ifname=tap0,script=no,downscript=no -device "$net")
    else
        machine+=(-netdev tap,id=wire,ifname=tap0,script=no,downscript=no -net nic,model=lan9118,netdev=wire,macaddr=02:66:6d:70:00:00)
    fi
}

machine=() mips_shift=''
run_image() {
    local pids
    outside_up
    cp "$image/data.ext4" "$run_dir/data"
    machine_of mon:stdio
    pids=$$
    cat <<TEXT
The handheld is $HANDHELD_IP; its gateway listens at port $PORT. From another terminal on this machine:
    nsenter -t $pids -n -m ip netns exec attacker $PWD/build/bin/fmp-flood --url http://$HANDHELD_IP:$PORT/ \\
        --mix schema=100 --rate 20 --duration 10
On the handheld: fmpctl status, fmpctl sources, fmpctl why $ATTACKER_IP. Ctrl-A X ends it.
TEXT
    "${machine[@]}" || die "the machine failed"
}

# --- A machine that is not looked at, but asked: its console is a socket.

console() { python3 scripts/image.d/console.py "$run_dir/console" "$*"; }
# console_file FILE COMMAND: the command reads FILE.
console_file() { python3 scripts/image.d/console.py "$run_dir/console" "$2" "$1"; }

# boot_machine [TIMEOUT]: starts it and waits until it says that it is protected.
boot_machine() {
    machine_of "chardev:console"
    : >"$run_dir/console.log"
    "${machine[@]}" -chardev "socket,id=console,server=on,wait=off,path=$run_dir/console,logfile=$run_dir/console.log" \
        >"$run_dir/qemu.log" 2>&1 &
    MACHINE=$!
    local end=$((SECONDS + ${1:-240}))
    until grep -q 'fmp: protected' "$run_dir/console.log"; do
        kill -0 "$MACHINE" 2>/dev/null || { cat "$run_dir/qemu.log" "$run_dir/console.log" >&2; die "the machine ended"; }
        [ "$SECONDS" -lt "$end" ] || { tail -n 30 "$run_dir/console.log" >&2; die "the device was not protected in time"; }
        sleep 0.2
    done
}

# As a battery that is taken out.
power_cut() {
    kill -9 "$MACHINE"
    wait "$MACHINE" 2>/dev/null || true
    MACHINE=''
}
