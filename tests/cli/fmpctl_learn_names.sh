# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2119,SC2153,SC2154
#
# fmpctl learn proposes header blocks, fields and limits that good messages of several sources had, and the same messages then
# reach the service whole. What one source alone sends is not proposed, nor what a suspicious one does.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

ENVELOPE='<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/">'
WSSE=http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd
printf '200 text/xml\n%s<s:Body/></s:Envelope>' "$ENVELOPE" >"$T/said"
printf 'ann:secret\n' >"$T/users"
chmod 640 "$T/users"

message() { # FILE BLOCKS
    printf '%s<s:Header><w:Security xmlns:w="%s"><w:UsernameToken><w:Username>ann</w:Username>' "$ENVELOPE" "$WSSE"
    printf '<w:Password>secret</w:Password></w:UsernameToken></w:Security>%s</s:Header><s:Body><any/></s:Body></s:Envelope>' "$2"
} >"$1"
message "$T/usual" '<o:id xmlns:o="urn:o">CB1</o:id>'
message "$T/rare" '<o:id xmlns:o="urn:o">CB1</o:id><r:rare xmlns:r="urn:r"/>'
message "$T/evil" '<e:evil xmlns:e="urn:e"/>'
# SOAP with one attachment: one that is held, and one that is passed on as it comes.
attached() { # BYTES
    printf -- '--b\r\nContent-Type: text/xml\r\nContent-ID: <r>\r\n\r\n%s<s:Body><a href="cid:p"/></s:Body></s:Envelope>\r\n' "$ENVELOPE"
    printf -- '--b\r\nContent-ID: <p>\r\n\r\n'
    head -c "$1" /dev/zero | tr '\0' A
    printf -- '\r\n--b--\r\n'
}
attached 5000 >"$T/parts"
attached 100000 >"$T/more"

# to SOURCE PATH FILE [OPTION...]: prints the status; what came to the service is in $T/fields.
to() {
    local source=$1 path=$2 file=$3
    shift 3
    : >"$T/fields"
    curl -s -m 20 -o "$T/answer" -w '%{http_code}\n' --interface "$source" -H "Content-Type: ${TYPE:-text/xml}" -H 'Expect:' \
        --data-binary "@$file" "$@" "$ORIGIN$path"
}
is_ok() { [ "$(to "$@")" = 200 ] || { echo "$*"; cat "$T/answer"; return 1; }; }

write_policy() { # FILE OBSERVE
    cat >"$1" <<XML
<policy xmlns="urn:fmp:policy:1" name="names">
  <block observe="$2"/>
  <gateway security="Bc" workers="1" user="nobody" access-log="$T/log">
    <fields><remove name="X-Gone"/></fields>
    <services>
      <service name="user" path="/user" backend="http://127.0.0.1:$AT/"><username passwords="$T/users" text="yes"/></service>
      <service name="plain" path="/plain/*" backend="http://127.0.0.1:$AT/"><attachments allowed="yes" unreferenced="yes"/></service>
      <service name="quiet" path="/quiet" backend="http://127.0.0.1:$AT/"/>
    </services>
  </gateway>
</policy>
XML
}

parts() { TYPE='multipart/related; boundary=b; type="text/xml"; start="<r>"' is_ok "$1" /plain/a/b "${PARTS:-$T/parts}" "${@:2}"; }

# What all clients send, with what one alone does, and what an attacker does from many addresses.
traffic() {
    local n
    for n in 2 3 4 5; do
        is_ok 127.0.0.$n /user "$T/usual" -H 'X_Real_IP: 192.0.2.1' && parts 127.0.0.$n -H 'X-HTTP-Method: PUT' || return 1
    done
    PARTS=$T/more parts 127.0.0.14 || return 1
    is_ok 127.0.0.6 /user "$T/rare" -H 'X-Original-URL: /admin' || return 1
    for n in 7 8 9 10 11 12 13; do
        is_ok 127.0.1.$n /user "$T/evil" -H 'X-Rewrite-URL: /' || return 1
        for _ in 1 2 3 4 5; do to 127.0.1.$n /user "$T/policy.xml" >/dev/null; done
    done
}

begin_plane() { # POLICY
    cp "$1" "$T/policy.xml"
    plane_up
    ORIGIN=${URL%/orders}
}

learns() {
    local learner
    ctl learn --policy "$T/base.xml" --duration 12s >"$T/learned.xml" 2>"$T/err" &
    learner=$!
    sleep 1
    traffic || return 1
    wait "$learner" || { cat "$T/err"; return 1; }
    cat "$T/learned.xml"
}

proposal_loads() { "$BIN/fmpctl" policy check "$T/learned.xml" && "$BIN/fmpctl" policy show --xml "$T/learned.xml" >"$T/shown"; }

# in_service NAME PATTERN: its lines of the proposal have it.
in_service() { sed -n "/<service name=\"$1\"/,/<\/service>/p" "$T/shown" | grep -q -- "$2"; }

proposes() {
    in_service user '<header name="{urn:o}id"' && in_service user '<keep name="x-real-ip"' &&
        in_service user '<remove name="X-Gone"' && in_service plain '<keep name="x-http-method"' &&
        in_service plain '<attachments.* part-bytes="148KiB" bytes="148KiB"' &&
        grep -q 'Not proposed: http/header 1024, above' "$T/learned.xml" && ! grep -q '<http .*header="1KiB"' "$T/shown" ||
        { cat "$T/shown"; return 1; }
}
no_more() {
    ! grep -iE 'urn:r|urn:e|original-url|rewrite-url' "$T/shown" && ! in_service quiet fields || return 1
    grep -q 'Not proposed: user: headers/header {urn:r}rare, of 1 of 5 sources: too few' "$T/learned.xml" &&
        ! grep -iE 'urn:e|rewrite-url' "$T/learned.xml"
}

# Both kinds of attachments are seen; the access log tells the same.
from_the_log() {
    grep -q ' parts=1 part=5000 bytes=5000[ "]' "$T/log" && grep -q ' parts=1 part=100000 bytes=100000[ "]' "$T/log" || return 1
    "$BIN/fmpctl" learn --policy "$T/base.xml" "$T/log" 2>/dev/null >"$T/of-log.xml"
    local lines='roposed: .*/\(header {\|keep \)\|<header \|<keep '
    diff <(grep "$lines" "$T/learned.xml") <(grep "$lines" "$T/of-log.xml") && grep -q '<keep ' "$T/of-log.xml"
}
as_json() {
    "$BIN/fmpctl" learn --json --policy "$T/base.xml" "$T/log" 2>/dev/null >"$T/json"
    jq -e '(.[0] | .record == "learned" and (.value | contains("{urn:o}id"))) and
        any(.[]; .record == "observed" and .service == "user" and .name == "headers/header" and .value == "{urn:o}id" and
            .sources == 5 and .state == "proposed") and
        any(.[]; .name == "headers/header" and .value == "{urn:r}rare" and .sources == 1 and .state == "few" and .reason)' "$T/json" ||
        { cat "$T/json"; return 1; }
}

nothing_reached() {
    is_ok 127.0.0.2 /user "$T/usual" -H 'X_Real_IP: 192.0.2.1' && ! grep -iq 'CB1\|^X.Real.IP' "$T/fields"
}
all_reaches() {
    is_ok 127.0.0.2 /user "$T/usual" -H 'X_Real_IP: 192.0.2.1' && grep -q '>CB1</o:id></s:Header>' "$T/fields" &&
        grep -q '^X_Real_IP: 192.0.2.1' "$T/fields" || { cat "$T/fields"; return 1; }
    parts 127.0.0.3 -H 'X-HTTP-Method: PUT' && grep -q '^X-HTTP-Method: PUT' "$T/fields" || return 1
    is_ok 127.0.0.6 /user "$T/rare" -H 'X-Original-URL: /admin' && ! grep -iq 'urn:r\|^x-original' "$T/fields" || return 1
    ! tail -n 1 "$T/log" | grep 'seen'
}

FIELDS=$T/fields start remote python3 tests/cli/remote.py "$T/said" "$T/remote.log"
listening remote
AT=$PORT
BACKEND=http://127.0.0.1:$AT/
: >"$T/log"
chmod 666 "$T/log"
write_policy "$T/base.xml" yes
begin_plane "$T/base.xml"
check before nothing_reached
: >"$T/log"
check learns learns
check proposal-loads proposal_loads
check proposes proposes
check no-more no_more
check from-the-log from_the_log
check as-json as_json
plane_ends
# Now it is enforced.
sed 's/<block observe="yes"/<block observe="no"/; s/ observe="yes"//' "$T/learned.xml" >"$T/enforced.xml"
begin_plane "$T/enforced.xml"
check all-reaches all_reaches
