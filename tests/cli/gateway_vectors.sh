# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Each vector of the collection through a gateway of its configuration: accepted ones are
# answered by the service, rejected ones by a Fault, and each gives its event.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

# accepted FILE TYPE, rejected FILE TYPE
accepted() {
    local before status
    before=$(events)
    status=$(post "$1" "$2")
    [ "$status" = 200 ] || { echo "status $status: $(cat "$T/answer") $(last_event)"; return 1; }
    grep -q ':total>[0-9.]*</' "$T/answer" || { echo "no total: $(cat "$T/answer")"; return 1; }
    event_follows "$before" good
}

rejected() {
    local before status
    before=$(events)
    status=$(post "$1" "$2")
    case $status in
    500 | 400) ;;
    *) echo "status $status: $(cat "$T/answer")"; return 1 ;;
    esac
    is_fault || return 1
    ! grep -q 'xmlsec\|libxml\|OpenSSL\|line [0-9]' "$T/answer" || { echo "insides told"; return 1; }
    event_follows "$before" '[a-z]*' || return 1
    ! last_event | grep -q 'kind=\(good\|crash\|timeout\) '
}

# vectors CONFIG ORDER: "FILE EXPECT" of the message vectors of a configuration
vectors() {
    jq -r --arg config "$1" --arg order "$2" --arg cipher "$3" '.[] | select(.file | startswith("http/") | not)
        | select(.configs | index($config) or index("all"))
        | select((.order // "sign-then-encrypt") == $order and (.encryption // "gcm") == $cipher)
        | "\(.file) \(.expect)"' "$VECTORS/MANIFEST.json"
}

# Some of them are one signed message in other clothes.
service
for config in Bc BcV BcS BcE BcES encrypt-then-sign cbc; do
    order=sign-then-encrypt cipher=gcm more= demands=
    [ "$config" != encrypt-then-sign ] || { order=$config config=BcES; }
    [ "$config" != cbc ] || { cipher=cbc config=BcE demands='security="BcE"' more='<algorithms encryption="aes128-cbc aes256-cbc"/>'; }
    policy "$demands" 'body="4MiB"' '' '' "<replay entries=\"0\"/><require order=\"$order\"/>$more"
    gateway --security "$config"
    n=0
    while read -r file expect; do
        [ -e "$VECTORS/$file" ] || continue
        type='text/xml; charset=utf-8'
        ! grep -q 'http://www.w3.org/2003/05/soap-envelope' "$VECTORS/$file" ||
            type='application/soap+xml; charset=utf-8'
        case $expect in
        accept) check "$config-accepts-$file" accepted "$VECTORS/$file" "$type" ;;
        reject) check "$config-rejects-$file" rejected "$VECTORS/$file" "$type" ;;
        esac
        n=$((n + 1))
    done <<EOF
$(vectors "$config" "$order" "$cipher")
EOF
    check "$config-$order-$cipher-has-vectors" test "$n" -gt 0
    check "$config-$order-$cipher-gateway-ends-well" gateway_ends
done
