# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# The shipped policies against their schema.

if [ -e policies/fmp-policy.xsd ]; then
    one policies xmllint --noout --nonet --schema policies/fmp-policy.xsd policies/*.xml || true
else
    skip policies "no policies/fmp-policy.xsd"
fi
