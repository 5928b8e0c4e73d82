# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# kernel-doc comments of the module name what they document, completely.

kernel_doc() {
    sources 'kernel/*.c' 'kernel/*.h' | xargs -r "$kernel_doc_tool" -none -Wall -Werror
}
kernel_doc_tool=$(find build/vm/6.12/usr/lib -path '*/scripts/kernel-doc' 2>/dev/null | head -n 1)
if [ -z "$(sources 'kernel/*.c')" ]; then
    skip kernel-doc "no module yet"
elif [ "$kernel_doc_tool" ]; then
    one kernel-doc kernel_doc || true
else
    skip kernel-doc "kernel 6.12 is not set up"
fi
