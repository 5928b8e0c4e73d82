# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154
# The peers of the filter benchmark: each is set up, timed dropping and passing, and taken
# away again. In a linear list the dropped source stands in the last rule; in a set all
# sources of the set come in turn.

rules=/run/fmp-bench.rules

# peer CASE ENTRIES REASON first|last: drop, with the kernel's reason, then pass.
peer() {
    local from=0 count=$2 BATCHES=$BATCHES
    [ "$4" != last ] || from=$(($2 - 1)) count=1
    # A thousand rules in turn take long, and the same time for each frame.
    [ "$4" != last ] || [ "$2" -lt 500 ] || BATCHES=21
    reason "$1 $2" "$3" "$from" "$count"
    run wire ip4 "$from" "$count" "$BATCHES" stack
    [ "$(got socket)" = 0 ] || wrong "$1 $2: not dropped: $answer"
    row "$1" "$2" drop taken
    run wire ip4 "$unknown" 1000 "$BATCHES" stack
    row "$1" "$2" pass
}

# peer_iptables CASE TABLE CHAIN
peer_iptables() {
    local n
    for n in 1 100 500 1000; do
        {
            echo "*$2"
            all ipv4 $n "-A $3 -s %s -j DROP\n"
            echo COMMIT
        } >$rules
        iptables-legacy-restore $rules
        peer "$1" $n NETFILTER_DROP last
        iptables-legacy -t "$2" -F
    done
    modprobe -r "iptable_$2"
}

group_iptables() {
    peer_iptables 'iptables raw PREROUTING, linear' raw PREROUTING
    peer_iptables 'iptables INPUT, linear' filter INPUT
    modprobe -r ip_tables
}

# nft_set CASE FAMILY HOOK KIND MATCH N
nft_set() {
    {
        echo "table $2 bench {"
        echo "set s { type $([ "$4" = mac ] && echo ether_addr || echo ipv4_addr); size $6;"
        echo 'elements = {'
        all "$4" "$6" '%s,\n'
        printf '} }\nchain c { %s; %s @s drop; }\n}\n' "$3" "$5"
    } >$rules
    nft -f $rules
    peer "$1" "$6" NETFILTER_DROP first
    nft delete table "$2" bench
}

# nft_linear CASE FAMILY HOOK N
nft_linear() {
    {
        printf 'table %s bench {\nchain c { %s;\n' "$2" "$3"
        all ipv4 "$4" 'ip saddr %s drop\n'
        printf '}\n}\n'
    } >$rules
    nft -f $rules
    peer "$1" "$4" NETFILTER_DROP last
    nft delete table "$2" bench
}

group_nft() {
    local n ingress='type filter hook ingress device wire0 priority -500'
    local raw='type filter hook prerouting priority raw'
    for n in 1 100 10000 100000; do
        nft_set 'nft inet prerouting (raw), set' inet "$raw" ipv4 'ip saddr' $n
        nft_set 'nft netdev ingress, set' netdev "$ingress" ipv4 'ip saddr' $n
    done
    nft_set 'nft netdev ingress, MAC set' netdev "$ingress" mac 'ether saddr' 1000
    for n in 100 500 1000; do
        nft_linear 'nft inet prerouting (raw), linear' inet "$raw" $n
        nft_linear 'nft netdev ingress, linear' netdev "$ingress" $n
    done
}

# The bridge takes the addresses of its port.
bridge_up() {
    ip addr flush dev wire0
    ip link add br0 type bridge forward_delay 0 mcast_snooping 0
    sysctl -qw net.ipv6.conf.br0.accept_dad=0 net.ipv6.conf.br0.router_solicitations=0
    ip link set wire0 master br0
    # Without learning: its table of the senders is not what is measured.
    ip link set wire0 type bridge_slave learning off
    ip link set br0 address "$(cat /sys/class/net/wire0/address)" up
    ip addr add 10.255.0.1/8 dev br0
}

bridge_down() {
    ip link del br0
    ip addr add 10.255.0.1/8 dev wire0
}

group_ebtables() {
    local n
    bridge_up
    run wire ip4 "$unknown" 1000 "$BATCHES" stack
    row none-bridge 0 pass
    for n in 1 100 500 1000; do
        {
            echo '*nat'
            echo ':PREROUTING ACCEPT'
            all mac $n '-A PREROUTING -s %s -j DROP\n'
        } >$rules
        ebtables-legacy-restore <$rules
        peer 'ebtables nat PREROUTING, MAC, linear' $n NOT_SPECIFIED last
        ebtables-legacy -t nat -F
    done
    modprobe -r ebtable_nat
    bridge_down
}

group_bpf() {
    local n pin=/sys/fs/bpf/fmp-bench
    mountpoint -q /sys/fs/bpf || mount -t bpf bpf /sys/fs/bpf
    # On 32-bit ARM it is off of its own accord.
    sysctl -qw net.core.bpf_jit_enable=1
    for n in 1 100 10000 100000; do
        build/tests/bench/bpf_drop tc $n $pin
        tc qdisc add dev wire0 clsact
        tc filter add dev wire0 ingress bpf direct-action object-pinned $pin
        peer 'tc clsact BPF hash' $n TC_INGRESS first
        tc qdisc del dev wire0 clsact
        rm $pin
        build/tests/bench/bpf_drop xdp $n $pin
        ip link set dev wire0 xdpgeneric pinned $pin
        peer 'XDP generic, BPF hash' $n NOT_SPECIFIED first
        ip link set dev wire0 xdpgeneric off
        rm $pin
    done
}

# veth_drops: frames that the program on veth0 dropped.
veth_drops() { ethtool -S veth0 | awk '/xdp_drops:/ { n += $2 } END { print n + 0 }'; }

# peer_veth ENTRIES: what XDP drops in the driver, no tracepoint of skbs tells.
peer_veth() {
    local name='XDP native on veth, BPF hash' warm=$1 before
    [ "$warm" -le "$sample" ] || warm=$sample
    before=$(veth_drops)
    run veth ip4 0 "$1" "$BATCHES" stack
    [ "$(got socket)" = 0 ] || wrong "$name $1: not dropped: $answer"
    [ $(($(veth_drops) - before)) = $((BATCHES * 64 + warm)) ] || wrong "$name $1: dropped by others: $answer"
    row "$name" "$1" drop taken
    run veth ip4 "$unknown" 1000 "$BATCHES" stack
    row "$name" "$1" pass
}

group_veth() {
    local n pin=/sys/fs/bpf/fmp-bench
    mountpoint -q /sys/fs/bpf || mount -t bpf bpf /sys/fs/bpf
    ip link add veth0 type veth peer name veth1
    sysctl -qw net.ipv6.conf.veth0.disable_ipv6=1 net.ipv6.conf.veth1.disable_ipv6=1
    ip addr flush dev wire0
    ip addr add 10.255.0.1/8 dev veth0
    ip link set veth1 arp off up
    ip link set veth0 up
    run veth ip4 "$unknown" 1000 "$BATCHES" stack
    row none-veth 0 pass
    for n in 1 100 10000 100000; do
        build/tests/bench/bpf_drop xdp $n $pin
        ip link set dev veth0 xdpdrv pinned $pin
        peer_veth $n
        ip link set dev veth0 xdpdrv off
        rm $pin
    done
    ip link del veth0
    ip addr add 10.255.0.1/8 dev wire0
}

group_xdp_filter() {
    local n
    mountpoint -q /sys/fs/bpf || mount -t bpf bpf /sys/fs/bpf
    xdp-filter load -m skb -f ipv4 wire0
    for n in 0 1 2 3 4 5 6 7 8 9; do
        xdp-filter ip -m src "$(ipv4_of $n)"
    done
    peer 'xdp-filter IP' 10 NOT_SPECIFIED first
    xdp-filter unload wire0
    xdp-filter load -m skb -f ethernet wire0
    for n in 0 1 2 3 4 5 6 7 8 9; do
        xdp-filter ether -m src "$(mac_of $n)"
    done
    peer 'xdp-filter MAC' 10 NOT_SPECIFIED first
    xdp-filter unload wire0
}
