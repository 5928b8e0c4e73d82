# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154
#
# WS-ReliableMessaging by CXF, of stacks.sh. CreateSequence and the like are in no WSDL of a service: a second one
# imports that of the service and the operations of the protocol, which are built in.

WSRM_10=http://schemas.xmlsoap.org/ws/2005/02/rm/wsdl
WSRM_11=http://docs.oasis-open.org/ws-rx/wsrm/200702/wsdl

# reliable_wsdl NAME: the service's WSDL and the protocol of the name's version.
reliable_wsdl() {
    local protocol=$WSRM_11
    [[ $1 != *10* ]] || protocol=$WSRM_10
    cat <<EOF
<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" targetNamespace="urn:example:reliable">
  <wsdl:import namespace="urn:example:store" location="wsdl-$1.wsdl"/>
  <wsdl:import namespace="$protocol" location="$protocol"/>
</wsdl:definitions>
EOF
}

reliable_services() {
    local name
    for name; do
        cat <<EOF
      <service name="$name" path="/$name" schema="$T/reliable-$name.wsdl" describe="pass" backend="http://127.0.0.1:$SERVICE/$name"/>
EOF
    done
}

reliable_guard() {
    local name
    for name; do
        python3 $HERE/fetch.py "http://127.0.0.1:$SERVICE/$name?wsdl" "$T/wsdl-$name.wsdl" "$T/wsdl-$name.catalog" || return 1
        reliable_wsdl "$name" >"$T/reliable-$name.wsdl"
    done
    cat >"$T/policy.xml" <<EOF
<?xml version="1.0" encoding="UTF-8"?>
<policy xmlns="urn:fmp:policy:1" name="reliable">
  <block layers="ip" duration="10min"/>
  <gateway security="BcV" schema="$T/reliable-$1.wsdl" user="nobody">
    <services>
$(reliable_services "$@")
    </services>
  </gateway>
  <enforce reconcile="30s"/>
</policy>
EOF
    plane_layers "$HANDHELD:$GATE"
}

cxfreliable() {
    local names=(rm-10 rm-11)
    built java-cxfpolicy cxfreliable &&
        check cxfreliable-compiles classes cxfreliable $HERE/policy/SecureStore.java $HERE/cxfpolicy/CxfReliable.java || return
    next_port
    check cxfreliable-serves serve cxfreliable java CxfReliable server "$SERVICE" $HERE/store.wsdl "$T" "${names[@]}"
    check cxfreliable-guarded reliable_guard "${names[@]}"
    converse cxfreliable java CxfReliable client "http://$HANDHELD:$GATE" "${names[@]}"
}
