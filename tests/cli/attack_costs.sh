# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# None of the corpus of attacks costs more than twice the instructions of a good message of
# its size. Counted, not timed: callgrind gives the same on a busy machine.

. tests/cli/lib.sh

make -s WERROR=1 attacks || exit 1
check "no attack costs more than twice a good message" tests/bench/attacks --check
