# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# A command in the root of another Debian, which is never installed: in mounts of its own, and as root of a namespace of
# users if the caller is not root.

# in_root ROOT DIR COMMAND [NAME=VALUE...]: DIR of this machine is /src there; the environment has what is named, and a PATH.
in_root() (
    root=$1 src=$2 command=$3
    export root src command
    shift 3
    as=
    [ "$(id -u)" = 0 ] || as=-r
    # shellcheck disable=SC2016
    unshare ${as:+"$as"} -m --propagation private sh -c '
        mount --rbind /proc "$root/proc" && mount --rbind /dev "$root/dev" && mount -t tmpfs tmp "$root/tmp" &&
        mount --bind "$src" "$root/src" &&
        exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin "$@" sh -c "$command"' - "$@"
)
