# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# .clang-format, with the version of it that the file is written for.

layout() {
    sources '*.c' '*.h' | xargs -r clang-format-14 --dry-run -Werror
}
one clang-format layout || true
