# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# Images of handhelds, booted: the paper's scenarios from outside, the image's budget, and power cuts.

attacked() { # NAME ARGUMENT...
    name=$1
    shift
    one "$name" scripts/image --attack --json "build/check/image-$name.json" "$@" || true
}

for arch in armhf arm64; do
    if [ -e "build/vm/$arch/libxml2/format" ]; then
        attacked "$arch" "$arch"
        one "$arch-power-cuts" scripts/image --cuts 20 "$arch" || true
    else
        skip "$arch" "not set up (scripts/setup $arch image)"
    fi
done
if [ -e build/vm/armhf/libxml2/format ] && [ -e build/vm/drivers/6.12/format ]; then
    attacked vexpress --board vexpress armhf
else
    skip vexpress "not set up (scripts/setup armhf image drivers)"
fi
