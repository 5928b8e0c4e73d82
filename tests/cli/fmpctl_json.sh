# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2119,SC2154 # no option more; GOOD, BAD, CONTROL are lib_plane.sh's
#
# fmpctl --json: what each command really writes is what its schema says.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

OTHER=198.51.100.7
SCHEMA=10 # FMP_EVENT_SCHEMA on the wire
FILE=daemon/fmpctl/fmpctl.schema.json
J=$T/json
mkdir "$J"

# Every field of the table of fields has its place in the schema, with its type, and there is no other.
fields_are_those_of_the_table() {
    sed -n 's/^\tROW([A-Z0-9_]*, "\([a-z0-9_]*\)", ".*", \([A-Z0-9]*\)),$/\1 \2/p' libfmp/report/fields.c |
        awk '{ t = "integer" }
            $2 == "STR" || $2 == "ADDR" { t = "string" }
            $2 == "BOOL" { t = "boolean" }
            $2 == "RATIO" { t = "number" }
            $1 != "record" { print $1, t }' | sort >"$T/table"
    jq -r '.properties | to_entries[] | select(.key != "record") | "\(.key) \(.value.type)"' "$FILE" | sort >"$T/schema"
    [ "$(wc -l <"$T/table")" -gt 80 ] && diff "$T/table" "$T/schema"
}

service
plane_policy json
plane_up
start watch "$BIN/fmpctl" --control "$CONTROL" watch --json
watched() { post "$BAD" >/dev/null; grep -q '"event"' "$T/watch.out"; }

# One that does nothing is warned of.
cat >"$T/idle.xml" <<EOF
<policy xmlns="urn:fmp:policy:1"><gateway security="Bc" schema="$PWD/$VECTORS/orders.xsd"/></policy>
EOF

write_all() {
    printf '%s' '<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://schemas.xmlsoap.org/wsdl/soap/">' \
        '<w:binding name="b"><s:binding/></w:binding></w:definitions>' >"$T/s.wsdl"
    wait_for 10 watched || return 1
    post "$GOOD" >/dev/null
    [ "$(control report "$OTHER" "$SCHEMA" 12)" = "code 0" ] || return 1
    printf '198.51.100.40\n127.0.0.1\n' >"$T/list"
    ctl --json block 198.51.100.9 --for 0 >"$J/block"
    ctl --json block 127.0.0.1 >"$J/refused" 2>/dev/null
    ctl --json block --file "$T/list" >"$J/many" 2>/dev/null
    ctl --json status >"$J/status" && ctl --json sources >"$J/sources" && ctl --json why "$OTHER" >"$J/why" &&
        ctl --json why 127.0.0.1 >"$J/why2" && ctl --json blocks >"$J/blocks" &&
        ctl --json unblock 198.51.100.9 >"$J/unblock" && ctl --json protect >"$J/protect" &&
        ctl --json policy check "$T/idle.xml" >"$J/check" 2>/dev/null && ctl --json policy show >"$J/show" &&
        ctl block 198.51.100.40 >/dev/null && ctl --json why 198.51.100.0/26 >"$J/members" && ctl block 198.51.100.0/26 >/dev/null || return 1
    # Of a prefix that still holds it.
    ctl --json unblock 198.51.100.40 >"$J/covered"
    ctl --json policy reload >"$J/reload" && ctl --json stats >"$J/stats" && ctl --json flush >"$J/flush" || return 1
    ctl --json policy diff policies/balanced.xml policies/observe.xml >"$J/diff"
    printf 'POST / HTTP/1.1\r\nHost: a\r\nX-Real-IP: 192.0.2.1\r\nContent-Type: text/xml\r\nContent-Length: 1\r\n\r\nx' >"$T/raw"
    ctl --json inspect --config Bc "$GOOD" "$T/list" "$T/raw" >"$J/inspect"
    echo '10d event 192.0.2.1 good sources=3 text="seen field=x-real-ip"' >"$T/seen.log"
    ctl --json replay --policy policies/balanced.xml tests/golden/escalation.log >"$J/replay" &&
        ctl --json replay --policy policies/balanced.xml --against policies/permissive.xml \
            tests/golden/escalation.log >"$J/against" &&
        ctl --json simulate --policy policies/balanced.xml >"$J/simulate" &&
        ctl --json learn --policy policies/balanced.xml tests/golden/escalation.log "$T/seen.log" >"$J/learn" &&
        ctl --json policy suggest --wsdl "$T/s.wsdl" >"$J/suggest" || return 1
    # That fmpd went away is a record, too.
    plane_ends
    wait_for 5 grep -q '"record":"watch"' "$T/watch.out" && cp "$T/watch.out" "$J/watch"
}

outputs_fit() {
    python3 tests/cli/json_schema.py "$FILE" "$J"/* >"$T/kinds" || return 1
    # A kind that no command wrote proves nothing; devices are the module's, prefixes the network's (fmpd_nat64.sh).
    { echo inspect; jq -r '.properties.record.enum[]' "$FILE"; } | grep -v '^device$\|^nat64$' | sort >"$T/all"
    diff "$T/kinds" "$T/all"
}

# The test can fail: a field that nobody knows, one that is missing, one of another type.
misfits_are_seen() {
    local record
    for record in '{"record":"flushed"}' '{"record":"flushed","unblocks":"1"}' '{"record":"flushed","unblocks":1,"x":1}' \
        '{"record":"what","unblocks":1}' '{"unblocks":1}'; do
        echo "$record" >"$T/misfit"
        ! python3 tests/cli/json_schema.py "$FILE" "$T/misfit" >/dev/null 2>&1 || { echo "$record"; return 1; }
    done
}

# The kinds of messages are those that a policy may give points to, and good.
kinds_are_those_of_policies() {
    { echo good; "$BIN/fmpctl" policy show policies/balanced.xml | sed -n "s,^suspicion/event\[\(.*\)\]/kind .*,\1,p"; } |
        sort >"$T/policies"
    jq -r '.definitions.message.enum[]' "$FILE" | sort | diff "$T/policies" -
}

check kinds_are_those_of_policies kinds_are_those_of_policies
check fields_are_those_of_the_table fields_are_those_of_the_table
check write_all write_all
check outputs_fit outputs_fit
check misfits_are_seen misfits_are_seen
