# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# A forged certificate costs no more where many are revoked. Counted, not timed, as in
# attack_costs.sh; scripts/bench certificates does the same with more of them.

. tests/cli/lib.sh

make -s WERROR=1 costs || exit 1
check "a forged certificate costs the same beside 50000 revoked ones" tests/bench/certificates 50000 "$T/rows.json"
