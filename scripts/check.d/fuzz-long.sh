# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034,SC2154
# The fuzzers for as long as it takes: 1,000,000 messages, 10,000,000 frames.

. "$repo/scripts/check.d/fuzz.sh"
seconds=${FUZZ_SECONDS:-600} messages=${FUZZ_MESSAGES:-1000000} frames=${FUZZ_FRAMES:-10000000}
doing "$seconds s of dissecting, $messages messages, $frames frames: this takes an hour or so"
fuzz_all 14400
