# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2153,SC2154,SC2034,SC2317 # set by run.sh and world.sh
#
# A device that loses its power at random moments while it is attacked: who was blocked stays blocked. Sourced by
# scripts/image after run.sh.

WORLD_DIR=$run_dir URL=http://$HANDHELD_IP:$PORT/
ctl() { console "NO_COLOR=1 fmpctl $*"; }

is_blocked() { ctl why "$ATTACKER_IP" --json | grep -q '"state":[ ]*"malicious"'; }
# A decision is written after ten seconds, see fmp-policy(5).
is_written() { console "grep -qa 'newest: dtd' /var/lib/fmp/state"; }

# Messages that no layer stops yet, from one address more each time, so that there is something to write.
attack_from() { # ADDRESS
    ip -n attacker addr replace "$1/24" dev eth0
    ip netns exec attacker build/bin/fmp-flood --url "$URL" --rate 10 --mix dtd=100 --source "$1" --timeout 2000 \
        --duration 600 --quiet >"$run_dir/attacker.log" 2>&1 &
    ATTACKER_PID=$!
}

attack_ends() {
    kill "$ATTACKER_PID" 2>/dev/null || true
    wait "$ATTACKER_PID" 2>/dev/null || true
}

cut_image() { # TIMES
    local i ms failed=0
    outside_up
    cp "$image/data.ext4" "$run_dir/data"
    fmp_words=fmp_policy=cautious
    step "First boot of $arch ($board, $mem MB)"
    boot_machine
    attack_from "$ATTACKER_IP"
    wait_until 60 "the attacker to be blocked" is_blocked || die "the attacker was never blocked"
    attack_ends
    wait_until 60 "the block to be written" is_written || die "the block is not in the state file"
    step "$ATTACKER_IP is blocked and in the state file"
    for ((i = 1; i <= $1; i++)); do
        attack_from "192.0.2.$((100 + i))"
        ms=$((RANDOM % 15000))
        sleep "$((ms / 1000)).$(printf %03d $((ms % 1000)))"
        power_cut
        attack_ends
        boot_machine
        if is_blocked; then
            step "ok   cut $i, $ms ms into an attack: still blocked, protected $(console cat /run/protected) s after init"
        else
            step "WRONG cut $i, $ms ms into an attack: the block is gone"
            console "logread | tail -n 20; ls -l /var/lib/fmp" || true
            failed=1
        fi
    done
    power_cut
    step "Done: $([ $failed = 0 ] && echo "blocked after each of $1 cuts" || echo "a cut lost the block")"
    exit $failed
}
