# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# A newer QEMU for machines of several processors, from bookworm-backports, unpacked into
# build/vm/qemu/ and never installed. Before 8.1, code that one processor changes while another
# one translates it may stay in its old form: a guest that changes its own (static keys,
# ftrace) then meets a breakpoint that is long gone, for ever.

# Read by scripts/setup after apt.sh.
# shellcheck disable=SC2154

# What a finished directory was made from: rises when the steps below change.
qemu_format=1

setup_qemu() {
    dir=$repo/build/vm/qemu
    [ "$(cat "$dir/format" 2>/dev/null)" != "$qemu_format" ] || return 0
    want "qemu for several processors" "qemu for several processors into build/vm/qemu" || return 0
    need_debian
    suite_lists bookworm-backports
    debs=$(apt_fetch qemu-system-x86 qemu-system-common qemu-system-data) && [ "$debs" ] ||
        die "cannot fetch qemu through apt"
    rm -rf "$dir" "$dir.new"
    mkdir -p "$dir.new"
    echo "$debs" | while read -r deb; do
        dpkg-deb -x "$deb" "$dir.new"
    done
    # What it is linked with came with the machine's own.
    "$dir.new/usr/bin/qemu-system-x86_64" --version >/dev/null || die "the qemu of bookworm-backports does not run here"
    echo "$qemu_format" >"$dir.new/format"
    mv "$dir.new" "$dir"
}
