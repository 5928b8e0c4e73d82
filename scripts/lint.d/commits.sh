# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Commit messages: `area: imperative summary`, or `area, area: ...`, of at most 72 characters, a blank line, and a body
# that says what was wrong, why this way, and how it was tested. Commits before $form_since had no form.
form_since=e2ccf4eec9d6

commit_form() {
    range=$form_since..HEAD
    # A clone without that commit (shallow, or an archive's history) has its newest one looked at.
    git cat-file -e "$form_since^{commit}" 2>/dev/null || range='-1 HEAD'
    # shellcheck disable=SC2086
    git log --no-merges --format='%h%x09%s%x09%b%x00' $range |
        tr '\n\0' ' \n' | awk -F '\t' '
            { sub(/^ /, "", $1) }
            $1 == "" { next }
            length($2) > 72 { print $1 ": the summary has " length($2) " characters, 72 are the most: " $2; bad = 1 }
            $2 !~ /^[a-z0-9\/_.-]+( [a-z0-9_.-]+)?(, [a-z0-9_.-]+)*: [^A-Z ]/ { print $1 ": not `area: summary` in lower case: " $2; bad = 1 }
            $2 ~ /\.$/ { print $1 ": a full stop ends the summary: " $2; bad = 1 }
            $3 !~ /[a-z]/ { print $1 ": no body: " $2; bad = 1 }
            END { exit bad }'
}
# A tree without git has no history to look at.
[ ! -e .git ] || one commits commit_form || true
