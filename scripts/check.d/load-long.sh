# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# The gateway under load: 200 slow clients, 10,000 idle connections, a flood of five minutes with
# signatures, encryption and TLS (FMP_LOAD_SECURE_SECONDS), one of half an hour (FMP_LOAD_SECONDS).

if built; then
    for test in slow idle secure flood; do
        one "$test" bash "tests/load/$test.sh" || true
    done
fi
