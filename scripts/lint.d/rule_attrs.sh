# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Attributes of a rule (enum fmp_rule_attr), in each place that writes or reads them. Each is optional on the wire: the compiler
# and the tests do not notice one that the module refuses, ignores or never sends. Its comment says whether it is sent only.

rule_attrs_list() {
    awk '/^ \* enum fmp_rule_attr - / { on = 1 }
        on && /^ \*\// { exit }
        on && / @FMP_RULE_A_/ { name = $2; sub(/:.*/, "", name); sub(/@/, "", name); order[++n] = name }
        on && name { text[name] = text[name] " " $0 }
        END { for (i = 1; i <= n; i++) if (order[i] !~ /_(UNSPEC|PAD)$/)
            print order[i], text[order[i]] ~ /(dump|events) only/ ? "sent" : "set" }' kernel/include/uapi/linux/fmp.h
}

# rule_attr_in FILE PATTERN WHAT
rule_attr_in() {
    grep -Eq "$2" "$1" || { echo "$1: $3 $attr"; missing=1; }
}

rule_attrs() {
    missing=0
    rule_attrs_list | {
        while read -r attr use; do
            rule_attr_in kernel/netlink/message.c "nla_put[a-z0-9_]*\(msg, $attr\>" "fmp_message_put_rule() does not write"
            rule_attr_in libfmp/net/genl.c "tb\[$attr\]" "fmpi_genl_get_rule() does not read"
            rule_attr_in tests/vm/fmp_genl.c "case $attr:" "show_rule() does not print"
            [ "$use" = set ] || continue
            rule_attr_in kernel/netlink/netlink.c "\[$attr\] = " "no policy of a rule's attributes has"
            rule_attr_in kernel/netlink/batch.c "tb\[$attr\]" "fmp_parse_rule() does not read"
            rule_attr_in libfmp/net/genl.c "mnl_attr_put[a-z0-9_]*\(nlh, $attr\>" "fmpi_genl_put_rule() does not write"
            rule_attr_in tests/vm/fmp_genl.c "mnl_attr_put[a-z0-9_]*\(nlh, $attr\>" "put_rule() does not write"
            rule_attr_in tests/fuzz/message.c "put_attr\(w, $attr\>" "put_rule() does not write"
        done
        [ "$missing" = 0 ]
    }
}
[ ! -e kernel/include/uapi/linux/fmp.h ] || one rule-attrs rule_attrs || true
