# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What refusing a changed cipher text costs says nothing of what is in it. Counted, not timed, as in
# attack_costs.sh; scripts/bench decryption does more, and over HTTP.

. tests/cli/lib.sh

make -s WERROR=1 costs || exit 1
check "changed cipher texts cost the same whatever is in them" tests/bench/decryption "$T/rows.json" --few
