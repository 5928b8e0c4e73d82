# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Each source says its licence in its first lines (after a `#!` or an XML declaration).

spdx() {
    bad=0
    for file in $(sources '*.c' '*.h' '*.mk' '*.py' '*Makefile' '*Kbuild' 'policies/*.xml' '*.xsd'; scripts); do
        head -n 3 "$file" | grep -q 'SPDX-License-Identifier: ' && continue
        echo "$file: no SPDX line"
        bad=1
    done
    return $bad
}
one spdx spdx || true
