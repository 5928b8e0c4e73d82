# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# What tests of the module must leave behind, which is nothing.

faults='WARNING:|BUG:|Oops|Call Trace:|general protection|unregister_netdevice: waiting'
faults="$faults|suspicious RCU|possible circular|detected stall|memory leak|refcount_t:"
allowed_taint=$((4096 | 8192)) # out of tree, unsigned

# in_namespaces: the programs in other network namespaces. One lives on without its name, as long as a program in it does.
in_namespaces() {
    # shellcheck disable=SC3013 # dash and busybox have -ef
    for ns in /proc/[0-9]*/ns/net; do
        [ ! -e "$ns" ] || [ "$ns" -ef /proc/self/ns/net ] || {
            pid=${ns#/proc/}
            echo "${pid%/ns/net}"
        }
    done
}

# left: says what is there that should not be; nothing if all is well.
left() {
    ! lsmod | grep -q '^fmp' || echo "a module is still loaded: $(lsmod | grep ^fmp | xargs)"
    [ -z "$(ip netns list)" ] || echo "a network namespace is left: $(ip netns list | xargs)"
    # One that was killed may take a moment to be gone.
    [ -z "$(in_namespaces)" ] || sleep 1
    for pid in $(in_namespaces); do
        echo "a program is left in a network namespace: $(tr '\0' ' ' <"/proc/$pid/cmdline")"
    done
    taint=$(cat /proc/sys/kernel/tainted)
    [ $((taint & ~allowed_taint)) = 0 ] || echo "the kernel is tainted: $taint"
    dmesg | grep -E "$faults"
}

# clear_away: takes it away, so that what comes next is judged by itself.
clear_away() {
    for ns in $(ip netns list | cut -d ' ' -f 1); do
        ip netns del "$ns"
    done
    in_namespaces | xargs -r kill -KILL
    for module in mac80211_hwsim fmp_bench fmp_baseband fmp; do
        # Devices come home when their namespace is gone, which is not at once.
        tries=100
        while lsmod | grep "^$module " >/dev/null && [ $tries -gt 0 ]; do
            rmmod "$module" 2>/dev/null || sleep 0.1
            tries=$((tries - 1))
        done
    done
}
