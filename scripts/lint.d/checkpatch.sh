# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# The kernel's own style checker on the module.

style() { # IGNORED-TYPES FILE...
    ignored=$1
    shift
    [ $# = 0 ] || build/vm/checkpatch/checkpatch.pl --strict --no-tree --no-summary --show-types \
        --terse --max-line-length=100 --ignore "$ignored" -f "$@"
}

# Not applicable outside the kernel tree: there is no MAINTAINERS file to change
# (FILE_PATH_CHANGES), and we build for more than one kernel, which is what compat/ is
# for (LINUX_VERSION_CODE, and CONSTANT_COMPARISON, which takes it for a constant).
# Not applicable to what userspace includes: it has no BIT().
# Not applicable to TRACE_EVENT: its layout is that of all trace headers.
checkpatch() {
    rc=0
    everywhere=FILE_PATH_CHANGES
    # shellcheck disable=SC2046
    style $everywhere $(sources 'kernel/*.c' 'kernel/*.h' | grep -vE '/uapi/|/compat/|/trace\.h$') || rc=1
    # shellcheck disable=SC2046
    style $everywhere,LINUX_VERSION_CODE,CONSTANT_COMPARISON $(sources 'kernel/compat/*.h') || rc=1
    # shellcheck disable=SC2046
    style $everywhere,BIT_MACRO $(sources 'kernel/include/uapi/*.h') || rc=1
    # shellcheck disable=SC2046
    style $everywhere,OPEN_ENDED_LINE,PARENTHESIS_ALIGNMENT $(sources 'kernel/*/trace.h') || rc=1
    return $rc
}
if [ -z "$(sources 'kernel/*.c')" ]; then
    skip checkpatch "no module yet"
elif [ -e build/vm/checkpatch/checkpatch.pl ]; then
    one checkpatch checkpatch || true
else
    skip checkpatch "not set up (scripts/setup checkpatch)"
fi
