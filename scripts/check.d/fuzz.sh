# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# A short run of the fuzzers: the dissector in userspace, the netlink family and frames in
# the test VM. Whatever made it fail once is in tests/fuzz/corpus.

# fuzz_dissect SECONDS: the corpus first, then new inputs, which stay out of the repository.
fuzz_dissect() {
    scratch=build/check/fuzz-dissect
    mkdir -p "$scratch"
    ASAN_OPTIONS=quarantine_size_mb=8 build/fuzz/dissect -max_len=300 -max_total_time="$1" \
        -timeout=10 -print_final_stats=1 -seed="${FUZZ_SEED:-0}" -artifact_prefix="$scratch/" \
        "$scratch" tests/fuzz/corpus/dissect
}

# fuzz_vm: messages and frames, as much as FUZZ_MESSAGES and FUZZ_FRAMES say.
fuzz_vm() { # TIMEOUT
    export FMP_FUZZ_MESSAGES="$messages" FMP_FUZZ_FRAMES="$frames" FMP_FUZZ_SEED="${FUZZ_SEED:-}"
    suite fuzz scripts/vm --kernel 6.1 --timeout "$1" --log "build/check/$group-kernel.log" -- \
        tests/fuzz/run genl frames stack || true
}

fuzz_all() { # TIMEOUT
    if one build-dissect compile WERROR=1 fuzz; then
        doing "fuzzing the dissector for $seconds s"
        one dissect fuzz_dissect "$seconds" || true
    fi
    if one build-vm compile WERROR=1 modules vm-tests fuzzers KERNEL=6.1; then
        fuzz_vm "$1"
    fi
}

# fuzz-long reads this file for the words above.
if [ "$group" = fuzz ]; then
    seconds=${FUZZ_SECONDS:-20} messages=${FUZZ_MESSAGES:-20000} frames=${FUZZ_FRAMES:-50000}
    fuzz_all 600
fi
