#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The library's enforcement on this kernel: the module's layer, and nftables of this age.

. "${0%/*}/lib.sh"

load || exit 1
rc=0
build/tests/netns_enforce -l premac || rc=1
# The host's kernel runs them all; here what depends on the kernel's age.
build/tests/netns_enforce -l "ip mac" renewing every_prefix survive nft_shows refusal \
    flushed comes_back inv1_protected_ip || rc=1
wait_until 20 unload || exit 1
exit $rc
