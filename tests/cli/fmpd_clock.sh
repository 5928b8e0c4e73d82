# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154
#
# A clock that is not set: fmpctl says so, as long as it lasts. The policy was written later than
# it says, so that it must be behind.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

unset_is() { [ "$(field 'select(.record == "gateway") | .clock_unset | tostring' status)" = "$1" ]; }

told() {
    wait_for 5 unset_is true && ctl status | grep -q '^Clock  *not set: '
}

counted() {
    grep -q '^fmp_gateway_clock_unset 1$' "$T/metrics" || { cat "$T/metrics"; return 1; }
}

# The next gateway is told of a policy of another day; one that knows nothing says nothing.
told_no_more() {
    touch -d 2026-01-02 "$T/policy.xml"
    reloaded || return 1
    # By the kernel's word a system that has just started may be waiting for the time, too.
    if grep -q 'it was not set since the start' "$T/fmpd.err"; then
        unset_is true || unset_is false
    else
        unset_is false && ! ctl status | grep -q '^Clock '
    fi
}

plane_policy clock
sed -i "s|<enforce|<metrics interval=\"1s\" file=\"$T/metrics\"/><enforce|" "$T/policy.xml"
touch -d 2040-01-02 "$T/policy.xml"
service
plane
check gateway-is-up wait_for 20 gateway_up
check unset-clock-is-told told
check unset-clock-is-counted wait_for 10 counted
check told-no-more told_no_more
check ends-well plane_ends
