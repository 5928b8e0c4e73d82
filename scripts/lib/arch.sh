# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# How the kernel calls what Debian calls by the name, and whose compiler it is. xscale is our kernel for armel.
arch_of() {
    case $1 in
    amd64) echo x86 x86_64-linux-gnu- ;;
    arm64) echo arm64 aarch64-linux-gnu- ;;
    armhf) echo arm arm-linux-gnueabihf- ;;
    xscale) echo arm arm-linux-gnueabi- ;;
    s390x) echo s390 s390x-linux-gnu- ;;
    esac
}

# What its programs' compiler and libraries are called by.
triplet_of() {
    case $1 in
    arm64) echo aarch64-linux-gnu ;;
    armhf) echo arm-linux-gnueabihf ;;
    armel) echo arm-linux-gnueabi ;;
    esac
}
