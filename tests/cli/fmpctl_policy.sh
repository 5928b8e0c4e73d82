# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# fmpctl policy check: the policies that we ship pass, errors name file, line and column.

. tests/cli/lib.sh

passes() {
    "$BIN/fmpctl" policy check "$1" && "$BIN/fmpctl" --json policy check "$1" |
        jq -e '.[0].record == "policy" and .[0].malicious > .[0].suspicious'
}

bad_name() {
    local rc=0
    sed 's/<block /<blok /' policies/balanced.xml >"$T/bad.xml"
    cmp -s policies/balanced.xml "$T/bad.xml" && { echo "nothing to misspell"; return 1; }
    "$BIN/fmpctl" policy check "$T/bad.xml" 2>"$T/err" || rc=$?
    cat "$T/err"
    [ "$rc" = 1 ] && grep -Eq "^fmpctl: $T/bad.xml:[0-9]+:[0-9]+: " "$T/err"
}

bad_json() {
    printf '<policy' >"$T/cut.xml"
    "$BIN/fmpctl" policy check --json "$T/cut.xml" 2>/dev/null |
        jq -e --arg f "$T/cut.xml" '.[0].record == "error" and .[0].file == $f and .[0].line == 1'
}

missing() {
    local rc=0
    "$BIN/fmpctl" policy check "$T/none.xml" 2>"$T/err" || rc=$?
    [ "$rc" = 2 ] && grep -q none.xml "$T/err" || return 1
    rc=0
    "$BIN/fmpctl" policy show "$T/none.xml" 2>"$T/err" || rc=$?
    [ "$rc" = 2 ] && grep -q none.xml "$T/err" || return 1
    rc=0
    "$BIN/fmpctl" policy reload "$T/none.xml" 2>"$T/err" || rc=$?
    [ "$rc" = 2 ] && grep -q none.xml "$T/err"
}

# Its file or user is not on this machine: no gateway could start with it here.
names_what_is_not_here() { # SETTINGS WORDS
    local rc=0
    printf '<policy xmlns="urn:fmp:policy:1"><gateway %s/></policy>' "$1" >"$T/names.xml"
    "$BIN/fmpctl" policy check "$T/names.xml" 2>"$T/err" || rc=$?
    cat "$T/err"
    [ "$rc" = 1 ] && grep -q "^fmpctl: $T/names.xml:1:[0-9]*: .*$2" "$T/err" && "$BIN/fmpctl" policy check --elsewhere "$T/names.xml"
}

# What show prints as XML is the same policy.
shown_loads_again() {
    "$BIN/fmpctl" policy show "$1" --xml >"$T/shown.xml" && "$BIN/fmpctl" policy diff "$1" "$T/shown.xml" || return 1
    "$BIN/fmpctl" policy show --json "$1" | jq -e 'length > 60 and all(.record == "setting" and .value != "") and
        (map(select(.name == "suspicion/malicious"))[0].value | tonumber) > 0'
}

# Of a file that is called otherwise than a policy may be.
named_by_file() {
    cp policies/observe.xml "$T/my own policy.xml"
    sed -i 's/ name="[^"]*"//' "$T/my own policy.xml"
    shown_loads_again "$T/my own policy.xml" && grep -q 'name="my_own_policy"' "$T/shown.xml"
}

differ() {
    local rc=0
    sed 's/ malicious="100"/ malicious="101"/' policies/balanced.xml >"$T/other.xml"
    "$BIN/fmpctl" policy diff policies/balanced.xml "$T/other.xml" >"$T/out" || rc=$?
    cat "$T/out"
    [ "$rc" = 1 ] && grep -Eq '^suspicion/malicious +100 +101$' "$T/out" && [ "$(wc -l <"$T/out")" = 2 ] || return 1
    "$BIN/fmpctl" policy diff --json policies/balanced.xml "$T/other.xml" |
        jq -e '. == [{"record": "change", "name": "suspicion/malicious", "from": "100", "to": "101"}]' || return 1
    rc=0
    "$BIN/fmpctl" policy diff policies/balanced.xml "$T/none.xml" 2>"$T/err" || rc=$?
    [ "$rc" = 2 ] && grep -q none.xml "$T/err"
}

for p in policies/*.xml; do
    case $p in */content-*) continue ;; esac # rules, for a policy to name
    check "$(basename "$p" .xml)" passes "$p"
done
for p in policies/*.xml; do
    case $p in */content-*) continue ;; esac
    check "$(basename "$p" .xml)_shown" shown_loads_again "$p"
done
# What does nothing is warned of with its place, on standard error and in JSON; the check passes.
idle_settings() {
    printf '<policy xmlns="urn:fmp:policy:1">\n<gateway security="Bc" trust="ca.crt"/></policy>\n' >"$T/idle.xml"
    "$BIN/fmpctl" policy check --elsewhere "$T/idle.xml" >"$T/out" 2>"$T/err" &&
        grep -q "^fmpctl: warning: $T/idle.xml:2:24: trust does nothing under security=\"Bc\"" "$T/err" || return 1
    "$BIN/fmpctl" --json policy check --elsewhere "$T/idle.xml" 2>/dev/null |
        jq -e --arg f "$T/idle.xml" '.[1] | .record == "warning" and .file == $f and .line == 2 and .column == 24'
}

folder_of_metrics() {
    printf '<policy xmlns="urn:fmp:policy:1">\n<metrics file="%s/none/m"/></policy>\n' "$T" >"$T/metrics.xml"
    "$BIN/fmpctl" policy check "$T/metrics.xml" 2>&1 | grep -q "metrics.xml:2:10: there is no folder $T/none for the metrics"
}

# Shipped rules are found by their bare name, those beside the policy first.
shipped_rules() {
    mkdir -p "$T/rules" && echo '<policy xmlns="urn:fmp:policy:1"><gateway><content rules="content-injection.xml"/></gateway></policy>' >"$T/rules/p.xml"
    "$BIN/fmpctl" policy show "$T/rules/p.xml" | grep -q 'content/rule' || return 1
    echo '<content xmlns="urn:fmp:policy:1"><rule name="own" regex="xyz"/></content>' >"$T/rules/content-injection.xml"
    "$BIN/fmpctl" policy show "$T/rules/p.xml" | grep -q 'content/rule\[own\]'
}

# Where each value comes from.
origins() {
    printf '<policy xmlns="urn:fmp:policy:1" base="cautious">\n<block duration="2h"/></policy>\n' >"$T/from.xml"
    "$BIN/fmpctl" policy show --origin "$T/from.xml" >"$T/out" || return 1
    grep -Eq "^block/duration +2h +$T/from.xml:2:8$" "$T/out" && grep -Eq '^suspicion/malicious +50 +.*cautious.xml:[0-9]+:[0-9]+ \(base\)$' "$T/out" &&
        grep -Eq '^block/local-mac +10min +default$' "$T/out" || return 1
    "$BIN/fmpctl" --json policy show --origin "$T/from.xml" | jq -e 'all(has("origin"))' && ! "$BIN/fmpctl" policy show --origin 2>"$T/err"
}

# A pipe that nobody writes to, or a folder, is said at once.
no_files() {
    mkfifo "$T/fifo.xml"
    local rc=0
    timeout 5 "$BIN/fmpctl" policy check "$T/fifo.xml" 2>"$T/err" || rc=$?
    [ "$rc" = 2 ] && grep -q 'not a file' "$T/err" || return 1
    ! "$BIN/fmpctl" policy check "$T" 2>"$T/err" && grep -q 'a folder stands there' "$T/err"
}

# A policy for a WSDL: it loads, and what the WSDL says is in it, and nothing of the WSDL breaks out.
suggested() {
    cat >"$T/s.wsdl" <<'XML'
<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:p="urn:p"
    xmlns:s12="http://schemas.xmlsoap.org/wsdl/soap12/" xmlns:m="http://schemas.xmlsoap.org/wsdl/mime/" targetNamespace="urn:p">
  <sp:AsymmetricBinding xmlns:sp="http://docs.oasis-open.org/ws-sx/ws-securitypolicy/200702"/>
  <sp:EncryptedParts xmlns:sp="http://docs.oasis-open.org/ws-sx/ws-securitypolicy/200702"/>
  <sp:UsernameToken xmlns:sp="http://docs.oasis-open.org/ws-sx/ws-securitypolicy/200702"/>
  <w:message name="h"><w:part name="id" element="p:Session"/></w:message>
  <w:binding name="b" type="p:t"><s:binding/><w:operation name="o"><w:input><m:multipartRelated><m:part><s:body use="literal"/>
    <s:header message="p:h" part="id" use="literal"/></m:part></m:multipartRelated></w:input></w:operation></w:binding>
  <w:binding name="e" type="p:t"><s:binding/><w:operation name="o"><w:input><s:body use="encoded"/></w:input></w:operation></w:binding>
  <w:service name="v">
    <w:port name="one" binding="p:b"><s:address location="http://in/a?x"/></w:port>
    <w:port name="one12" binding="p:b"><s12:address location="http://in/a"/></w:port>
    <w:port name="--&gt;&quot;&amp;" binding="p:b"><s:address location="https://in/c"/></w:port>
    <w:port name="old" binding="p:e"><s:address location="http://in/old"/></w:port>
  </w:service>
</w:definitions>
XML
    "$BIN/fmpctl" policy suggest --wsdl "$T/s.wsdl" >"$T/s.xml" && "$BIN/fmpctl" policy check --elsewhere "$T/s.xml" || return 1
    local text
    for text in 'name="one" path="/a"' 'name="{urn:p}Session"' 'security="BcES" trust=' '<username ' 'has attachments' 'one-way' \
        'old: left out' 'one12: of the same path' 'backend="https://in/c" ca='; do
        grep -qF -- "$text" "$T/s.xml" || { echo "lacks $text"; cat "$T/s.xml"; return 1; }
    done
    "$BIN/fmpctl" policy suggest --wsdl "$T/s.wsdl" --port one --url http://10.0.0.1/ >"$T/s.xml" &&
        "$BIN/fmpctl" policy check --elsewhere "$T/s.xml" && grep -q 'port="one"' "$T/s.xml" && grep -q 'backend="http://10.0.0.1/"' "$T/s.xml" || return 1
    "$BIN/fmpctl" --json policy suggest --wsdl "$T/s.wsdl" | jq -e '.[0].record == "suggested" and (.[0].value | test("^<.xml"))' || return 1
    ! "$BIN/fmpctl" policy suggest --wsdl "$T/s.wsdl" --port none 2>"$T/err" && grep -q 'has no SOAP port "none"' "$T/err" &&
        ! "$BIN/fmpctl" policy suggest --wsdl "$T/s.xml" 2>"$T/err" && grep -q 'is no WSDL' "$T/err" &&
        ! "$BIN/fmpctl" policy suggest 2>"$T/err" && ! "$BIN/fmpctl" policy check --wsdl x "$T/s.xml" 2>"$T/err"
}

check suggested suggested
check named-by-its-file named_by_file
check differ differ
check misspelt_element bad_name
check json_error bad_json
check missing_file missing
check schema_not_here names_what_is_not_here 'security="BcV" schema="none.xsd"' 'schema .*/none.xsd: No such file'
if [ "$(id -u)" = 0 ]; then
    check user_not_here names_what_is_not_here 'user="nosuchuser"' 'no user "nosuchuser"'
fi
check idle_settings idle_settings
check folder_of_metrics folder_of_metrics
check shipped_rules shipped_rules
check origins origins
check no_files no_files
