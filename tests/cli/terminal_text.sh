# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2119,SC2154 # no option more
#
# No program writes to a terminal what others chose and a terminal acts upon: C0, C1 and bidirectional
# controls in messages, names of files, policies, answers. Programs that read JSON get it whole.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

CSI=$'\xc2\x9b' RLO=$'\xe2\x80\xae' ESC=$'\x1b'
BAD_TEXT="x${CSI}31m${RLO}y${ESC}[2Jz"

# clean FILE...: has text, and none of the controls but line ends; ours alone are written with an ESC, to terminals.
clean() {
    local file
    for file; do
        python3 - "$file" <<'EOF' || return 1
import re, sys
text = open(sys.argv[1], encoding="utf-8").read()
bad = re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", text)
sys.exit("%s: %r in %r" % (sys.argv[1], bad, text) if bad or not text else 0)
EOF
    done
}

# says_clean CODE COMMAND...: what both streams have of it is clean.
says_clean() {
    local want=$1 rc=0
    shift
    "$@" >"$T/out" 2>"$T/err" </dev/null || rc=$?
    [ "$rc" = "$want" ] || { echo "$*: exit status $rc, not $want"; cat "$T/err"; return 1; }
    cat "$T/out" "$T/err" >"$T/both"
    clean "$T/both"
}

inspect_says() {
    local file="$T/m${BAD_TEXT}.xml"
    # The name of an element that no schema knows is told; C1 and bidirectional controls stand in names as they are.
    sed "s|<soap|<!-- --><soap|; s|itemId>[^<]*<|itemId>$CSI$RLO<|" "$BAD" >"$file"
    says_clean 1 "$BIN/fmpctl" inspect --config BcV --schema "$VECTORS/orders.xsd" "$file" || return 1
    # JSON has the name whole, in escapes.
    "$BIN/fmpctl" --json inspect --config BcV --schema "$VECTORS/orders.xsd" "$file" >"$T/json"
    clean "$T/json" && [ "$(jq -r .file "$T/json")" = "$file" ] || return 1
    cat "$T/json"
    says_clean 2 "$BIN/fmpctl" inspect --config BcV --schema "$VECTORS/orders.xsd" "$T/none$BAD_TEXT"
}
arguments_say() {
    says_clean 2 "$BIN/fmpctl" "$BAD_TEXT" && says_clean 2 "$BIN/fmpctl" why "$BAD_TEXT" && says_clean 2 "$BIN/fmpctl" status "--$BAD_TEXT" &&
        says_clean 2 "$BIN/fmp-flood" --target "http://$BAD_TEXT/" && says_clean 2 "$BIN/fmpd" "$BAD_TEXT" || return 1
}

# Policies: what is wrong with one, its settings, and as XML, which loads again.
policies_say() {
    printf '<policy xmlns="urn:fmp:policy:1"><block layers="%s"/></policy>' "x$CSI$RLO" >"$T/p$BAD_TEXT.xml"
    says_clean 1 "$BIN/fmpctl" policy check "$T/p$BAD_TEXT.xml" || return 1
    printf '<policy xmlns="urn:fmp:policy:1"><gateway><content><rule name="a" regex="%s"/></content></gateway></policy>' "x$CSI$RLO" >"$T/r.xml"
    says_clean 0 "$BIN/fmpctl" policy show "$T/r.xml" && says_clean 0 "$BIN/fmpctl" policy show --xml "$T/r.xml" || return 1
    cp "$T/out" "$T/again.xml"
    says_clean 0 "$BIN/fmpctl" --json policy show "$T/r.xml" && "$BIN/fmpctl" policy diff "$T/r.xml" "$T/again.xml" || return 1
    [ "$(jq -r '.[] | select(.name | endswith("regex")) | .value' "$T/out")" = "x$CSI$RLO" ]
}

fmpd_says() {
    plane_policy said
    plane_up
    cp "$T/p$BAD_TEXT.xml" "$T/policy.xml"
    kill -HUP "$FMPD"
    wait_for 5 grep -q 'stays as it was' "$T/fmpd.err" || return 1
    ctl block 192.0.2.9 --reason "$BAD_TEXT" >/dev/null
    plane_ends
    clean "$T/fmpd.err"
}

# A service that puts them into its Fault.
client_says() {
    python3 - "$T/port" "$CSI$RLO" <<'EOF' &
import http.server, sys
fault = ('<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultcode>s:Server</faultcode>'
         '<faultstring>x%sy</faultstring></s:Fault></s:Body></s:Envelope>' % sys.argv[2]).encode()
class Bad(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(500)
        self.send_header("Content-Type", "text/xml; charset=utf-8")
        self.send_header("Content-Length", str(len(fault)))
        self.end_headers()
        self.wfile.write(fault)
    def log_message(self, *args):
        pass
server = http.server.HTTPServer(("127.0.0.1", 0), Bad)
open(sys.argv[1], "w").write(str(server.server_port))
server.handle_request()
EOF
    pids+=($!)
    wait_for 5 test -s "$T/port" || return 1
    says_clean 1 "$BIN/fmp-orders-client" --endpoint "http://127.0.0.1:$(cat "$T/port")/" && grep -q 'x.*y' "$T/err"
}

service
check inspect_says inspect_says
check arguments_say arguments_say
check policies_say policies_say
check fmpd_says fmpd_says
check client_says client_says
