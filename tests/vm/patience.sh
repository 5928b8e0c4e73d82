# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034
# How many times longer than on an emulated PC everything may take here, for all time limits of the module's tests.

# A kernel full of checks in an emulator is some five times slower, and so is one of s390x; ARM is some three times.
patience=1
case $(uname -r) in
*-debug* | *-s390x) patience=5 ;;
*-armmp | *-arm64) patience=3 ;;
esac
