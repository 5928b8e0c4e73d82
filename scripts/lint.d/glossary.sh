# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Words that were replaced: the file `glossary`, read by glossary.py.

one glossary python3 scripts/lint.d/glossary.py || true
