# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154,SC2034,SC2317
#
# An image under attack: the paper's scenarios, from outside, against an emulated device whose CPU time is counted in
# instructions, and the image's budget. Sourced by scripts/image after run.sh.

# shellcheck source=scripts/demo.d/measure.sh
. scripts/demo.d/measure.sh

# 125 million instructions a second: of the class of the paper's handheld, and what an emulator keeps up with, so that the
# device's seconds are those of the attacker.
mips_shift=3
W='' WORLD_DIR=$run_dir URL=http://$HANDHELD_IP:$PORT/
PKI=$PWD/build/image/pki
GOOD_RATE=20 BAD_RATE=20 BAD_FRAMES=800
# Always there, for scripts/demo.d/measure.sh.
FMPD_PID=device
SECONDS_MEASURED=$seconds TIME_TO_BLOCK=null
SCENARIOS=(original original2 original3 iptables1 iptables2 premac1 premac2)

# What scripts/demo.d/measure.sh asks, of this device.
ctl() { console "NO_COLOR=1 fmpctl $*"; }
dev_stat() {
    case $1 in
    handheld) console "cat /sys/class/net/eth0/statistics/$2" ;;
    *) ip netns exec "$1" cat "/sys/class/net/eth0/statistics/$2" ;;
    esac
}
# What the processor was not idle, by the device's own clock.
cgroup_usec() {
    [ "$1" = handheld ] || { echo 0; return; }
    console cat /proc/uptime | awk '{ printf "%.0f\n", 1000000 * ($1 - $2) }'
}
# What it sent is on its way for a while: a tap holds some hundreds of frames.
attacker_signal() {
    [ -n "${ATTACKER_PID:-}" ] || return 0
    kill "-$1" "$ATTACKER_PID"
    [ "$1" = CONT ] || sleep 2
}
friend_flood() { # SECONDS NAME
    ip netns exec friend build/bin/fmp-flood --url "$URL" --rate "$GOOD_RATE" --mix good=100 --keepalive \
        --connections 2 --timeout 3000 --key "$PKI/friend.key" --cert "$PKI/friend.crt" --duration "$1" --quiet \
        --json "$run_dir/$2.json" >"$run_dir/$2.log" 2>&1 || true
}
attacker_start() {
    ip netns exec attacker build/bin/fmp-flood --url "$URL" --rate "$BAD_RATE" \
        --mix wellformed=25,schema=25,unsigned=25,signature=25 --source "$ATTACKER_IP" --device eth0 \
        --steady-frames "$BAD_FRAMES" --connections 16 --timeout 3000 --key "$PKI/rogue.key" --cert "$PKI/rogue.crt" \
        --duration 900 --quiet --json "$run_dir/attacker.json" >"$run_dir/attacker.log" 2>&1 &
    ATTACKER_PID=$!
}
attacker_stop() {
    kill -TERM "$ATTACKER_PID"
    wait "$ATTACKER_PID" || true
    ATTACKER_PID=''
}

# The device's policy for the scenarios; its own comes back with the next image.
put_policy() { # LAYERS OBSERVE
    cat >"$run_dir/policy.xml" <<XML
<policy xmlns="urn:fmp:policy:1" name="attacked">
  <block layers="$1" mac="yes" duration="10min" observe="$2"/>
  <gateway security="BcS" schema="/usr/share/fmp/orders.xsd" trust="/etc/fmp/ca.crt" workers="1" user="nobody"/>
</policy>
XML
    console_file "$run_dir/policy.xml" "cat >/etc/fmp/policy.new && mv /etc/fmp/policy.new /etc/fmp/policy.xml &&
        fmpctl policy reload; fmpctl flush --yes" >"$run_dir/policy.log" 2>&1
    # A device that is attacked takes its time to start another gateway.
    wait_until 120 "the gateway" policy_in_force || { cat "$run_dir/policy.log" >&2; return 1; }
}
policy_in_force() { ctl status --short | grep -q 'attacked.*gateway ready'; }

scenario() { # NAME SHARE LAYERS
    local name=$1 share=$2 layers=$3 warm=''
    say "-- $name: $share % malicious, block on: ${layers:-nothing}"
    put_policy "${layers:-ip mac premac}" "$([ "$layers" ] && echo no || echo yes)"
    if [ "$share" -lt 100 ]; then
        friend_flood 900 warm &
        warm=$!
    fi
    TIME_TO_BLOCK=null
    if [ "$share" -gt 0 ]; then
        attacker_start
        if [ "$layers" ]; then
            wait_until 60 "the attacker to be blocked" attacker_blocked || fail "$name" "the attacker was never blocked"
            [ "$layers" = ip ] || { wait_until 10 "the first frame to be dropped" first_hit_ns && time_to_block "$layers"; }
            say "   blocked$([ "$TIME_TO_BLOCK" = null ] || echo "; first frame dropped $TIME_TO_BLOCK ms after the threshold message")"
        fi
    fi
    sleep 4
    if [ "$warm" ]; then
        ip netns pids friend | xargs -r kill -TERM
        wait "$warm" || true
    fi
    measure "$name" "$share"
    # At the ingress of a device frames that belong together may have become one.
    row "$name" filtered "$(($(filtered after) - $(filtered before)))" frames "$share"
    [ "$share" = 0 ] || attacker_stop
}
# Frames that the module saw, in a status that was kept.
filtered() { jq -r '[.. | objects | select(.record? == "device")][0].frames // 0' "$run_dir/status_$1"; }

plan() {
    case $1 in
    original) echo 0 '' ;;
    original2) echo 100 '' ;;
    original3) echo 50 '' ;;
    iptables1) echo 50 ip ;;
    iptables2) echo 100 ip ;;
    premac1) echo 50 'ip mac premac' ;;
    premac2) echo 100 'ip mac premac' ;;
    esac
}

# budget NAME VALUE: against the limit of that name for this architecture.
budget() {
    local limit
    limit=$(awk -v name="$1" -v arch="$arch" '!/^#/ && $1 == name && $2 == arch { print $3 }' scripts/image.d/budget)
    jq -nc --arg metric "$1" --argjson value "$2" --arg limit "$limit" \
        '{case: "image", metric: $metric, value: $value, limit: ($limit | tonumber? // null)}' >>"$run_dir/rows"
    must image "$1: $2, of at most ${limit:-(no limit)}" "${limit:-0} == 0 || $2 <= ${limit:-0}"
}

judge_budget() {
    say
    say "What the image may cost (scripts/image.d/budget):"
    local key
    for key in fmp root initrd kernel; do
        budget "${key}_bytes" "$(jq ".${key}_bytes" "$image/sizes.json")"
    done
    budget boot_s "$BOOT_S"
    budget protected_s "$PROTECTED_S"
    budget idle_pss_kb "$IDLE_PSS_KB"
    budget idle_rss_kb "$IDLE_RSS_KB"
    budget used_kb "$USED_KB"
}

# Memory of fmp's processes, in kB: of each page its share, and each page as often as it is mapped.
memory_of() { # Pss|Rss
    console "for p in \$(pidof fmpd fmp-gateway fmp-nat64); do grep ^$1: /proc/\$p/smaps_rollup; done" |
        awk '{ s += $2 } END { print s + 0 }'
}

judge_image() {
    local c
    say
    say "What each scenario should do:"
    for c in original2 original3; do
        must "$c" "$c: no frame is dropped" "$(value "$c" dropped_premac) + $(value "$c" dropped_mac) + $(value "$c" dropped_ip) == 0"
    done
    for c in iptables1 iptables2; do
        must "$c" "$c: the attacker's frames die at IP ($(value "$c" dropped_ip))" \
            "$(value "$c" dropped_ip) > 0 && $(value "$c" dropped_premac) + $(value "$c" dropped_mac) == 0"
    done
    must premac2 "premac2: 99 % of the $(value premac2 filtered) frames that the module sees die there ($(value premac2 dropped_premac) before the MAC, $(value premac2 dropped_late) at ingress)" \
        "$(value premac2 dropped_premac) + $(value premac2 dropped_late) >= 0.99 * $(value premac2 filtered)"
    for c in premac1 premac2; do
        must "$c" "$c: of the attacker's $(value "$c" offered_frames) frames, some of which became one, 80 % and more die in the module and none later" \
            "$(value "$c" dropped_premac) + $(value "$c" dropped_late) >= 0.8 * $(value "$c" offered_frames) && $(value "$c" dropped_ip) == 0"
    done
    must premac1 "premac1: the friend gets $(value premac1 good_per_s) good answers/s, alone $(value original good_per_s) (>= 90 %)" \
        "$(value premac1 good_per_s) >= 0.9 * $(value original good_per_s)"
    judge_ratio premac2 original2 0.30
    judge_ratio premac2 iptables2 1.00
    judge_ratio premac1 original3 0.90
}

attack_image() {
    local s share layers
    world_pki "$PKI"
    : >"$run_dir/rows"
    FAILED=0
    outside_up
    cp "$image/data.ext4" "$run_dir/data"
    step "First boot of $arch ($board, $mem MB): by a clock that does not count instructions"
    local shift=$mips_shift
    mips_shift='' fmp_words=fmp_policy=observe
    boot_machine
    BOOT_S=$(console cat /run/init-started)
    sleep 5
    IDLE_PSS_KB=$(memory_of Pss) IDLE_RSS_KB=$(memory_of Rss)
    USED_KB=$(console free | awk '/^Mem:/ { print $3 }')
    ctl status --short || fail image "fmpctl status says no"
    console sync
    power_cut
    mips_shift=$shift
    step "Second boot, 125 million instructions a second"
    boot_machine 600
    # In instructions: by the other clock an emulator's own work counts, and what else this machine does.
    PROTECTED_S=$(console cat /run/protected)
    console_file "$PKI/ca.crt" 'cat >/etc/fmp/ca.crt'
    for s in "${SCENARIOS[@]}"; do
        IFS='|' read -r share layers < <(plan "$s" | sed 's/ /|/')
        scenario "$s" "$share" "$layers"
    done
    power_cut
    report_table
    judge_image
    judge_budget
    [ -z "$json" ] || { write_json "$run_dir/json"; cp "$run_dir/json" "$json"; }
    step "Done: $([ "$FAILED" = 0 ] && echo "every scenario did what it should" || echo "something did not do what it should")"
    exit "$FAILED"
}
