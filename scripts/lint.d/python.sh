# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Python helpers at least parse.

python_parses() {
    for file in $(sources '*.py'); do
        python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read(), sys.argv[1])' "$file" || return 1
    done
}
[ -z "$(sources '*.py')" ] || one python python_parses || true
