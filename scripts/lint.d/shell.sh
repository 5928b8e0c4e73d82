# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh

shell_scripts() {
    scripts | xargs -r shellcheck -x
}
one shellcheck shell_scripts || true
