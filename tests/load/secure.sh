# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154
#
# The same with signatures, encryption and TLS: good and bad messages under BcES for
# FMP_LOAD_SECURE_SECONDS (300), so that the table of replays, decryption, what keeps the keys and
# handshakes have their part; all good ones are answered, and nothing is lost.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/load/lib_load.sh

seconds=${FMP_LOAD_SECURE_SECONDS:-300}

flood() {
    before=$(workers)
    echo "$PORT" >&"$FLOOD"
    sample_while "$flooder" "$seconds"
    wait "$flooder" || { tail -n 3 "$T/flood.out" "$T/flood.err"; return 1; }
    [ "$(tail -n 1 "$T/flood.out" | jq '.good["200"]')" -gt "$seconds" ]
}

# Each step that is asked has refused something, else it had no part in it. A forged signature is
# looked at behind decryption: of what is wrong there nobody is told more than that.
each_had_its_part() {
    local kind
    for kind in replay decrypt unencrypted wellformed browser; do
        grep -q "^event .*kind=$kind " "$T/gateway.err" && continue
        echo "no event of kind $kind: $(grep -o '^event kind=[a-z]*' "$T/gateway.err" | sort | uniq -c)"
        return 1
    done
}

mkfifo "$T/port"
INPUT=$T/port start flood python3 tests/load/secure_flood.py "$T/keys" "$seconds" "${FMP_LOAD_SECURE_RATE:-50}"
flooder=$!
exec {FLOOD}>"$T/port"
wait_for 60 grep -q '^keys$' "$T/flood.out" || { cat "$T/flood.err"; exit 1; }
chmod 755 "$T/keys"
service
policy 'workers="2"' '' 'idle="5s"' '' "<tls certificate='$T/keys/server.crt' key='$T/keys/server.key'/>"
sed -i "s# trust=\"[^\"]*\"# trust=\"$T/keys/ca.crt\"#; s#^           key=\"[^\"]*\"#           key=\"$T/keys/server.key\"#" \
    "$T/policy.xml"
gateway --security BcES
descriptors=$(descriptors "$GATEWAY")
check secure-flood flood
check each-step-had-its-part each_had_its_part
nothing_lost
