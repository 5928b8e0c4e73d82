# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2119 # no option more
#
# Lists of addresses as they are published: what is taken, what is refused with file and line, and that nothing of a
# list is lost without a word. An import that is broken off says how far it came.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

blocked() { ctl --json blocks | jq -r '[.[] | select(.record == "decision") | .addr] | sort | join(" ")'; }
# takes ADDRESSES TEXT: a list of these bytes blocks just these.
takes() {
    ctl flush --yes >/dev/null
    printf '%b' "$2" >"$T/list"
    ctl block --file "$T/list" >"$T/out" 2>"$T/err" && [ "$(blocked)" = "$1" ] || { echo "$2: $(blocked)"; cat "$T/out" "$T/err"; return 1; }
}
# refuses WORDS TEXT: and nothing of it is blocked.
refuses() {
    local rc=0
    ctl flush --yes >/dev/null
    printf '%b' "$2" >"$T/list"
    ctl block --file "$T/list" >"$T/out" 2>"$T/err" || rc=$?
    [ "$rc" = 2 ] && [ -z "$(blocked)" ] && grep -qF -- "$1" "$T/err" || { echo "$2: exit status $rc"; cat "$T/out" "$T/err"; return 1; }
}

line_ends() {
    takes '198.51.100.1 198.51.100.2' '198.51.100.1\r\n198.51.100.2' &&
        takes '198.51.100.1 198.51.100.2 198.51.100.3' '198.51.100.1\r198.51.100.2\r# x\r198.51.100.3\r' &&
        takes '198.51.100.1 198.51.100.2' '# CR\r\n\r\n198.51.100.1 # a\r\n198.51.100.2 ; b\r\n' &&
        refuses 'list:3: "nowhere"' '198.51.100.1\r\n\r\nnowhere\r\n' && refuses 'list:3: "nowhere"' '198.51.100.1\r\rnowhere\r'
}
published() {
    takes '198.51.100.0/24 203.0.113.0/25' '; Spamhaus\n198.51.100.0/24 ; SBL1 a ; b\n203.0.113.0/25;SBL2\n' &&
        takes '198.51.100.0/24 203.0.113.7' '#\n# firehol_level1\n#\n198.51.100.0/24\n203.0.113.7\n'
}
one_a_line='a line of a list has one address'
other_formats() {
    refuses "list:2: \"198.51.100.1,90,DE\": $one_a_line" '# ip,score,country\n198.51.100.1,90,DE\n' &&
        refuses "list:1: \"127.0.0.1 localhost\": $one_a_line" '127.0.0.1 localhost\n' &&
        refuses "list:1: \"create bl hash:ip family inet\": $one_a_line" 'create bl hash:ip family inet\nadd bl 198.51.100.4\n' &&
        refuses "list:1: \"table inet filter {\": $one_a_line" 'table inet filter {\n}\n' &&
        refuses "list:2: \"198.51.100.0 198.51.100.255 24\": $one_a_line" '# DShield\n198.51.100.0\t198.51.100.255\t24\n' &&
        refuses 'list:1: "00-16-3e-00-00-98" is not an IP address or a MAC' '00-16-3e-00-00-98\n' &&
        refuses 'list:1: "198.51.100.3 my-host.example" is not' '198.51.100.3 my-host.example\n'
}
encodings() {
    printf '198.51.100.1\n' | iconv -t UTF-16 | od -An -v -tx1 | tr -d '\n' | sed 's/ /\\x/g' >"$T/utf16"
    refuses 'is in UTF-16: ' "$(cat "$T/utf16")" && refuses 'is in UTF-16: ' '\xfe\xff' && refuses 'is compressed: ' '\x1f\x8b\x08x' &&
        refuses 'is no text' '198.51.100.1\n\x00198.51.100.2\n' && takes '198.51.100.1' '\xef\xbb\xbf198.51.100.1\n'
}
# An empty list is what a download that failed leaves.
empty_keeps_the_set() {
    local rc=0
    ctl flush --yes >/dev/null
    echo 198.51.100.1 | ctl block --file - --set feed >/dev/null || return 1
    printf '# nothing\n' | ctl block --file - --set feed 2>"$T/err" || rc=$?
    [ "$rc" = 1 ] && grep -q 'no address: the set feed stays' "$T/err" && [ "$(blocked)" = 198.51.100.1 ] || { cat "$T/err"; return 1; }
    ctl block --file /dev/null --set feed --yes | grep -qx '0 of 0 blocked; 1 ended' && [ -z "$(blocked)" ] && ctl block --file /dev/null | grep -qx '0 of 0 blocked'
}
# One line a cause is read, ten thousand are not.
few_words_of_many() {
    seq -f '127.0.%g.1' 0 200 | ctl block --file - >"$T/out" 2>"$T/err"
    [ "$(wc -l <"$T/err")" = 21 ] && grep -qx 'fmpctl: 181 more are refused (--json shows each)' "$T/err" || { cat "$T/err"; return 1; }
    [ "$(seq -f '127.0.%g.1' 0 200 | ctl --json block --file - | jq '[.[] | select(.record == "refused")] | length')" = 201 ]
}

# breaks_off HOW N COMMAND...: by what stands in for fmpd. Sets RC.
breaks_off() {
    local how=$1 n=$2
    shift 2
    rm -f "$T/fake"
    start fake python3 tests/cli/breaks_off.py "$T/fake" "$how" "$n"
    wait_for 10 grep -q ready "$T/fake.out" || { cat "$T/fake.err"; return 1; }
    RC=0
    "$BIN/fmpctl" --control "$T/fake" "$@" >"$T/out" 2>"$T/err" || RC=$?
    kill "$!" 2>/dev/null
    sed 's/^/    /' "$T/out" "$T/err"
}
in_the_middle() {
    local how
    for i in $(seq 40); do seq -f "10.$i.%g.1" 0 255; done >"$T/list"
    breaks_off close 2 block --file "$T/list" && [ "$RC" = 4 ] && grep -q '^[0-9]* of 10240 blocked$' "$T/out" && grep -q 'before the whole list' "$T/err" || return 1
    [ "$(sed 's/ .*//' "$T/out")" -gt 0 ] && [ "$(sed 's/ .*//' "$T/out")" -lt 10240 ] || return 1
    for how in SIGINT SIGTERM SIGHUP; do
        breaks_off "$how" 2 block --file "$T/list" && [ "$RC" = 4 ] && grep -q '^[1-9][0-9]* of 10240 blocked$' "$T/out" && grep -q '^fmpctl: interrupted before the whole list' "$T/err" || return 1
    done
    breaks_off close 2 --json block --file "$T/list" && [ "$RC" = 4 ] && python3 tests/cli/json_schema.py daemon/fmpctl/fmpctl.schema.json "$T/out" &&
        jq -e '.[-1].record == "error" and .[0].record == "bulk"' "$T/out" >/dev/null
}
# The set has lost what the list lacks, and has nothing of the list yet.
after_the_flush() {
    breaks_off SIGTERM 5 block --file "$T/list" --set feed || return 1
    while [ "$RC" = 1 ] && [ "${N:-5}" -lt 20 ]; do # nothing has changed yet: so many requests name what stays
        N=$((${N:-5} + 1))
        breaks_off SIGTERM "$N" block --file "$T/list" --set feed >/dev/null || return 1
    done
    [ "$RC" = 4 ] && grep -qx '0 of 10240 blocked; 7 ended' "$T/out"
}
before_anything() {
    breaks_off close 0 block --file "$T/list" && [ "$RC" = 3 ] && [ ! -s "$T/out" ] || return 1
    breaks_off SIGINT 1 block --file "$T/list" --set feed && [ "$RC" = 1 ] && [ ! -s "$T/out" ] && grep -qx 'fmpctl: interrupted: nothing is changed' "$T/err"
}
# A script's background job ignores Ctrl-C.
ignored_signal() {
    (trap '' INT; breaks_off SIGINT 2 block --file "$T/list" && [ "$RC" = 0 ] && grep -qx '10240 of 10240 blocked' "$T/out")
}

# A long list comes back whole, and what writes it needs no more memory than a handheld has: KiB of address space, of
# which libraries are a third.
long_export() {
    local reason
    reason=$(printf 'long %.0s' {1..30})
    for i in $(seq 100); do seq -f "10.$i.%g.1" 0 249; done >"$T/list"
    ctl block --file "$T/list" --reason "$reason" | grep -qx '25000 of 25000 blocked' || return 1
    (ulimit -v 200000 && ctl blocks --export) >"$T/export" && (ulimit -v 200000 && ctl blocks) >"$T/table" || return 1
    [ "$(wc -l <"$T/table")" = 25001 ] && sed 's/ .*//' "$T/export" | sort | diff -q - <(sort "$T/list")
}

service
plane_policy lists
plane_up
check line_ends line_ends
check published published
check other_formats other_formats
check encodings encodings
check empty_keeps_the_set empty_keeps_the_set
check few_words_of_many few_words_of_many
check in_the_middle in_the_middle
check after_the_flush after_the_flush
check before_anything before_anything
check ignored_signal ignored_signal
plane_policy long
sed -i 's|<enforce |<suspicion max-sources="40000"/><enforce max-blocks="30000" |' "$T/policy.xml"
plane_up
check long_export long_export
