# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Makes a policy from /etc/config/fmp. Needs /lib/functions.sh and config_load fmp.

# Text as it may stand in an attribute or an element.
fmp_escape() {
    printf '%s' "$1" | sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g'
}

# fmp_attribute SECTION OPTION ATTRIBUTE: nothing if the option is not set.
fmp_attribute() {
    local value
    config_get value "$1" "$2"
    [ -z "$value" ] || printf ' %s="%s"' "$3" "$(fmp_escape "$value")"
}

# fmp_yes_no SECTION OPTION ATTRIBUTE: the same for a switch.
fmp_yes_no() {
    local value
    config_get value "$1" "$2"
    [ -n "$value" ] || return 0
    config_get_bool value "$1" "$2"
    [ "$value" = 1 ] && value=yes || value=no
    printf ' %s="%s"' "$3" "$value"
}

# fmp_element VALUE NAME: for config_list_foreach
fmp_element() {
    printf '    <%s>%s</%s>\n' "$2" "$(fmp_escape "$1")" "$2"
}

# fmp_policy: the policy, on standard output.
fmp_policy() {
    printf '<?xml version="1.0" encoding="UTF-8"?>\n<policy xmlns="urn:fmp:policy:1" name="uci">\n'
    printf '  <suspicion'
    fmp_attribute suspicion suspicious suspicious
    fmp_attribute suspicion malicious malicious
    fmp_attribute suspicion half_life half-life
    fmp_attribute suspicion max_sources max-sources
    printf '/>\n  <block'
    fmp_attribute block layers layers
    fmp_yes_no block mac mac
    fmp_yes_no block observe observe
    fmp_attribute block duration duration
    fmp_attribute block factor factor
    fmp_attribute block max max
    fmp_attribute block forget forget
    printf '/>\n  <protect>\n'
    config_list_foreach protect address fmp_element address
    config_list_foreach protect mac fmp_element mac
    printf '  </protect>\n  <gateway user="fmp"'
    fmp_attribute gateway security security
    fmp_attribute gateway schema schema
    fmp_attribute gateway trust trust
    fmp_attribute gateway key key
    fmp_attribute gateway clock_skew clock-skew
    fmp_attribute gateway max_age max-age
    fmp_yes_no gateway fast_signatures fast-signatures
    fmp_attribute gateway workers workers
    printf '/>\n  <enforce'
    fmp_attribute devices reconcile reconcile
    printf '>\n'
    config_list_foreach devices device fmp_element device
    printf '  </enforce>\n</policy>\n'
}
