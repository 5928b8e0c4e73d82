# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# The benchmarks' sources, by number: as in kernel/bench/frame.h.

ipv4_of() {
    local a=$((0x0a000100 + $1))
    echo "$((a >> 24 & 255)).$((a >> 16 & 255)).$((a >> 8 & 255)).$((a & 255))"
}

mac_of() { printf '02:fb:%02x:%02x:%02x:%02x\n' $(($1 >> 24 & 255)) $(($1 >> 16 & 255)) $(($1 >> 8 & 255)) $(($1 & 255)); }

# all ipv4|mac N FORMAT: FORMAT for the address of each source.
all() {
    awk -v kind="$1" -v n="$2" -v format="$3" 'BEGIN {
        for (i = 0; i < n; i++) {
            a = i + (kind == "ipv4" ? 256 : 0)
            if (kind == "ipv4")
                text = sprintf("10.%d.%d.%d", a / 65536, a / 256 % 256, a % 256)
            else
                text = sprintf("02:fb:00:%02x:%02x:%02x", a / 65536, a / 256 % 256, a % 256)
            printf format, text
        }
    }'
}
