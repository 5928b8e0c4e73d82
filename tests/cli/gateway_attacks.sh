# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The corpus of attacks through a gateway of its configuration: a Fault, an event of the right
# kind, and the gateway serves the next good message. The first variant of each class that is
# a message, every one that is malformed HTTP, has an assertion, encrypts more than the Body or is refused by a rule.
# tests/unit/test_attacks.c takes each through the pipeline.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

ATTACKS=${FMP_ATTACKS:-build/tests/attacks}
[ -n "${FMP_ATTACKS:-}" ] || make -s WERROR=1 attacks || exit 1

# Sends a whole request as it is; prints the answer. The gateway closes behind it.
raw() {
    local fd
    exec {fd}<>"/dev/tcp/127.0.0.1/$PORT" || return 1
    cat "$1" >&"$fd"
    timeout 20 cat <&"$fd"
    exec {fd}>&-
}

# refused FILE KIND ACTION HOW
refused() {
    local before status
    before=$(events)
    if [ "$4" = raw ]; then
        raw "$1" >"$T/answer"
        grep -aq '^HTTP/1.1 [45]' "$T/answer" || { head -c 300 "$T/answer"; return 1; }
    else
        status=$(curl -s -m 20 -o "$T/answer" -w '%{http_code}' -H 'Content-Type: text/xml' \
            -H "SOAPAction: \"${3#-}\"" -H 'Expect:' --data-binary "@$1" "$URL")
        case $status in
        400 | 413 | 500) ;;
        503)
            clock_waits && grep -q 'The clock of this device is not set' "$T/answer" && return 0
            echo "status $status"
            return 1
            ;;
        *) echo "status $status"; return 1 ;;
        esac
    fi
    is_fault || return 1
    [ "$2" = 'no event' ] || event_follows "$before" "$2"
}

serves() { # CONFIG
    local status
    status=$(post "$T/corpus/good-$1")
    [ "$status" = 200 ] || { echo "status $status: $(last_event)"; return 1; }
}

# Those of one configuration that are sent: FILE KIND ACTION HOW NAME.
chosen() {
    awk -F '\t' -v config="$1" '
        { class = $7; sub(/: [^:]*$/, "", class) }
        $2 != config || $6 == "again" { next }
        $6 == "raw" || config ~ /-(saml|content|encrypted)$/ || !seen[class]++ {
            print $1 "\t" $4 "\t" $5 "\t" $6 "\t" $7
        }' "$T/corpus/index"
}

mkdir "$T/corpus"
"$ATTACKS" write "$T/corpus" || exit 1
chmod -R a+rX "$T/corpus"

# Its own CA and issuer: the keys were made with the corpus.
policy_of() { # CONFIG
    local more=
    case $1 in
    *-saml)
        more="<saml audiences='urn:fmp:orders' bearer='$([ "$1" = BcV-saml ] && echo yes || echo no)'>
            <issuer name='https://idp.example.org/' trust='$T/corpus/idp.crt'/></saml>"
        ;;
    *-encrypted) more="<require encrypted='username To'/><username passwords='$T/users' text='yes'/>" ;;
    *-symmetric) more="<require symmetric='anonymous'/>" ;;
    *-headers) more="<headers><header name='{urn:fmp:attacks}route' required='yes'/></headers>" ;;
    *-content) more="<content rules='$PWD/policies/content-injection.xml'/>" ;;
    esac
    # A refused message of good HTTP is answered, and its connection stays; its sender waits for the end.
    policy "security=\"${1%%-*}\"" '' 'idle="1s"' '' "$more"
    sed -i "s# trust=\"[^\"]*\"# trust=\"$T/corpus/ca.crt\"#" "$T/policy.xml"
}

service
printf 'jane:secret\n' >"$T/users"
chmod 600 "$T/users"
for config in Bc BcV BcV-saml BcV-content BcS BcS-saml BcS-symmetric BcS-headers BcE BcE-encrypted; do
    policy_of "$config"
    gateway --security "${config%%-*}"
    n=0
    while IFS=$'\t' read -r file kind action how name; do
        check "$config-refuses-$(echo "$name" | tr -c 'A-Za-z0-9\n' '-')" \
            refused "$file" "$kind" "$action" "$how"
        n=$((n + 1))
    done < <(chosen "$config")
    check "$config-has-attacks" test "$n" -ge 3
    check "$config-still-serves" serves "$config"
    check "$config-gateway-ends-well" gateway_ends
done
