# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Those who block by logs, for scripts/bench manage, and nginx, for scripts/bench attachments:
# from Debian 12, unpacked into build/vm/peers/ and never installed, for their packages start
# services that would guard this machine, or take its port 80.

# Read by scripts/setup after apt.sh.
# shellcheck disable=SC2154

# What a finished directory was made from: rises when the steps below change.
peers_format=2

setup_peers() {
    dir=$repo/build/vm/peers
    [ "$(cat "$dir/format" 2>/dev/null)" != "$peers_format" ] || return 0
    want "fail2ban, CrowdSec, sshguard, nginx" "fail2ban, CrowdSec, sshguard, nginx into build/vm/peers" || return 0
    need_debian
    machine_lists fresh
    debs=$(apt_fetch fail2ban python3-pyinotify crowdsec crowdsec-firewall-bouncer sshguard nginx) && [ "$debs" ] ||
        die "cannot fetch the peers through apt"
    rm -rf "$dir" "$dir.new"
    mkdir -p "$dir.new"
    echo "$debs" | while read -r deb; do
        dpkg-deb -x "$deb" "$dir.new"
    done
    echo "$peers_format" >"$dir.new/format"
    mv "$dir.new" "$dir"
}
