# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# The description of the netlink family, against the header and the policies.

if [ ! -e kernel/netlink/fmp.yaml ]; then
    :
elif python3 -c 'import yaml' 2>/dev/null; then
    one netlink-spec python3 scripts/lint.d/netlink_spec.py || true
else
    skip netlink-spec "python3-yaml is missing"
fi
