# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# Address spaces, endianness and RCU annotations of the module.

# Of what sparse says, only what is of our files: the kernel's headers are not ours to mend.
run_sparse() {
    make modules KERNEL=6.1 C=2 W=1 >"$log.out" 2>&1 || { cat "$log.out"; return 1; }
    ! grep -E 'build/kernel/6\.1/[^ ]*: (warning|error):' "$log.out"
}
if ! [ -e kernel/Kbuild ]; then
    skip sparse "no module yet"
elif [ -e build/vm/6.1/release ]; then
    one sparse run_sparse || true
else
    skip sparse "kernel 6.1 is not set up"
fi
