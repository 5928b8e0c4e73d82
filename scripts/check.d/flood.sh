# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# One peer must not stop, starve or frame others: floods of three quarters of a minute each, and what another client notices of them.

if built; then
    suite flood bash tests/load/floods.sh || true
    suite framing bash tests/load/framing.sh || true
fi
