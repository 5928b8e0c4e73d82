# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# What can be said of the sources without running them. scripts/lint runs this alone.

. "$repo/scripts/lint.d/files.sh"
for check in layout rooms glossary shell spdx policies policy_table rule_attrs netlink_spec python headers checkpatch kernel_doc sparse analyzer versions commits; do
    # shellcheck disable=SC1090
    . "$repo/scripts/lint.d/$check.sh"
done
