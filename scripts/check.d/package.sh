# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Packages for this machine's Debian: what lintian says, and whether the same commit gives the same bytes.

if command -v dh_dkms >/dev/null && command -v lintian >/dev/null; then
    one deb scripts/package --lint --twice deb || true
else
    skip deb "not set up (scripts/setup package)"
fi
