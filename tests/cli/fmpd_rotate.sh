# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2119,SC2154 # no option more; GOOD is lib_plane.sh's
#
# The access log is rotated by moving it and SIGHUP, by logrotate with the shipped stanza: whoever owns the
# folder, and when the policy on disk is broken, too. What can't be written is found by policy check.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

if [ "$(id -u)" != 0 ]; then
    echo "skip fmpd_rotate: only root starts a gateway of another user"
    exit 0
fi
chmod 755 "$T"
LOGS=$T/logs

# logging OWNER MODE: a policy with its log in a folder of that owner.
logging() {
    rm -rf "$LOGS"
    mkdir "$LOGS" && chmod "$2" "$LOGS" && chown "$1" "$LOGS"
    plane_policy rotate
    sed -i "s|user=\"nobody\"|user=\"nobody\" access-log=\"$LOGS/access.log\"|" "$T/policy.xml"
}

# The shipped stanza, for this log and this fmpd.
stanza() {
    sed -e "s|/var/log/fmp/access.log|$LOGS/access.log|" -e "s|systemctl kill.*|kill -HUP $FMPD|" \
        -e "s|# A folder.*|$1|" daemon/fmpd/fmpd.logrotate >"$T/logrotate.conf"
    chmod 644 "$T/logrotate.conf"
}

lines() { wc -l <"$1"; }
answered() { [ "$(lines "$LOGS/access.log")" = "$1" ]; }

rotates() { # SU-LINE
    local before after
    stanza "$1"
    [ "$(post "$GOOD")" = 200 ] && wait_for 5 answered 1 || return 1
    before=$(gateway_pid)
    logrotate -f -s "$T/logrotate.state" "$T/logrotate.conf" || return 1
    wait_for 20 other_gateway "$before" && [ -e "$LOGS/access.log" ] || { ls -l "$LOGS"; cat "$T/fmpd.err"; return 1; }
    [ "$(post "$GOOD")" = 200 ] && wait_for 5 answered 1 && [ "$(lines "$LOGS/access.log.1")" = 1 ] || return 1
    # A policy that can't be read is no reason to write to the moved log for ever.
    echo broken >"$T/policy.xml"
    after=$(gateway_pid)
    mv "$LOGS/access.log" "$LOGS/moved" && kill -HUP "$FMPD" && wait_for 20 other_gateway "$after" || return 1
    [ "$(post "$GOOD")" = 200 ] && wait_for 5 answered 1
}

rotated_for() { # OWNER MODE SU-LINE
    logging "$1" "$2"
    "$BIN/fmpctl" policy check "$T/policy.xml" || return 1
    rm -f "$LOGS/access.log"
    plane_up
    rotates "$3" || { plane_ends; return 1; }
    plane_ends
}

# Full root could write there, fmpd can't: the check has fmpd's rights, and says what to do.
check_has_the_rights_of_fmpd() {
    logging nobody 755
    : >"$LOGS/access.log" && chown games "$LOGS/access.log" && chmod 600 "$LOGS/access.log"
    ! "$BIN/fmpctl" policy check "$T/policy.xml" 2>"$T/err" || return 1
    cat "$T/err"
    grep -q "^fmpctl: $T/policy.xml:4:.*can't open the access log.*chown" "$T/err" || return 1
    logging root 755
    sed -i "s|schema=\"[^\"]*\"|schema=\"$T/none.xsd\"|" "$T/policy.xml"
    ! "$BIN/fmpctl" policy check "$T/policy.xml" 2>"$T/err" && grep -q "^fmpctl: $T/policy.xml:4:27: .*none.xsd" "$T/err"
}

# What is not there yet may come: devices, groups, folders are warned of with their place.
what_is_not_there() {
    cat >"$T/absent.xml" <<EOF
<policy xmlns="urn:fmp:policy:1">
<enforce><device>none0</device></enforce>
<state file="$T/none/state"/>
<report group="none-such"/></policy>
EOF
    "$BIN/fmpctl" policy check "$T/absent.xml" >/dev/null 2>"$T/err" || return 1
    cat "$T/err"
    grep -q "absent.xml:2:10: there is no device none0" "$T/err" && grep -q "absent.xml:3:8: there is no folder $T/none" "$T/err" &&
        grep -q "absent.xml:4:9: there is no group none-such" "$T/err" && ! "$BIN/fmpctl" policy check --elsewhere "$T/absent.xml" 2>&1 | grep warning
}

service
check rotated_for_root rotated_for root 755 ""
check rotated_for_another_user rotated_for nobody 755 "su nobody root"
check rotated_for_a_closed_folder rotated_for nobody 700 "su nobody root"
check check_has_the_rights_of_fmpd check_has_the_rights_of_fmpd
check what_is_not_there what_is_not_there
