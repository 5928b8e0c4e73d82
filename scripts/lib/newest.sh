# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Modules for the newest kernel of `scripts/setup kernels`, for scripts/drivers and scripts/check drivers.

# With the compiler and tools of Debian 13: the headers' own tools are programs of it.
make_newest() ( # DIR: below which all sources are
    as=
    [ "$(id -u)" = 0 ] || as=-r
    # shellcheck disable=SC2016
    root=build/vm/kernels/root from=$1 headers=/usr/src/linux-headers-$(cat build/vm/newest/release) \
        unshare ${as:+"$as"} -m --propagation private sh -c '
        mount --rbind /proc "$root/proc" && mount --rbind /dev "$root/dev" && mount --bind "$from" "$root/src" &&
        exec chroot "$root" /usr/bin/env -i PATH=/usr/bin DEB_BUILD_ARCH=amd64 DEB_HOST_ARCH=amd64 \
            make -s -j"$(nproc)" -C "$headers" M=/src W=1 KCFLAGS=-Werror CONFIG_DEBUG_INFO_BTF_MODULES= CC=x86_64-linux-gnu-gcc-14 modules'
)
