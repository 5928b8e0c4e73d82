# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034,SC2154
# The fuzzers for as long as it takes: 1,000,000 messages on the kernel that checks memory,
# locks and races, with two processors; 10,000,000 frames; 1,000,000 canonical forms beside libxml2's.

. "$repo/scripts/check.d/fuzz.sh"
seconds=${FUZZ_SECONDS:-7200} few_seconds=${FUZZ_SECONDS:-600}
messages=${FUZZ_MESSAGES:-1000000} frames=${FUZZ_FRAMES:-10000000} documents=${FUZZ_DOCUMENTS:-1000000}
doing "$seconds s of each fuzzer, or $few_seconds s; $messages messages, $frames frames, $documents documents: this takes hours"
fuzz_userspace
fuzz_vm 6.1 1 14400 frames stack
if [ -e build/vm/debug/format ]; then
    fuzz_vm debug 2 14400 genl
else
    skip debug "not set up (scripts/setup debug): messages on 6.1 in its place"
    fuzz_vm 6.1 1 14400 genl
fi
