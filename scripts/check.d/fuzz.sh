# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# A short run of the fuzzers: the dissector, the byte pre-scan, the gateway's readers and decryption in
# userspace, the netlink family and frames in the test VM. Whatever made it fail once is in
# tests/fuzz/corpus.

# fuzz_dissect SECONDS: the corpus first, then new inputs, which stay out of the repository.
fuzz_dissect() {
    scratch=build/check/fuzz-dissect
    mkdir -p "$scratch"
    ASAN_OPTIONS=quarantine_size_mb=8 build/fuzz/dissect -max_len=300 -max_total_time="$1" \
        -timeout=10 -print_final_stats=1 -seed="${FUZZ_SEED:-0}" -artifact_prefix="$scratch/" \
        "$scratch" tests/fuzz/corpus/dissect
}

# fuzz_screen SECONDS: beside libxml2; the first byte of an input chooses the limits.
fuzz_screen() {
    scratch=build/check/fuzz-screen
    mkdir -p "$scratch"
    ASAN_OPTIONS=quarantine_size_mb=8 build/fuzz/screen -max_len=4096 -max_total_time="$1" \
        -timeout=10 -print_final_stats=1 -seed="${FUZZ_SEED:-0}" -artifact_prefix="$scratch/" \
        -dict=tests/fuzz/xml.dict "$scratch" tests/fuzz/corpus/screen
}

# fuzz_reader NAME SECONDS: a reader of the gateway, in the same way.
fuzz_reader() {
    scratch=build/check/fuzz-$1
    mkdir -p "$scratch"
    ASAN_OPTIONS=quarantine_size_mb=8 "build/fuzz/$1" -max_len=2000 -max_total_time="$2" \
        -timeout=10 -print_final_stats=1 -seed="${FUZZ_SEED:-0}" -artifact_prefix="$scratch/" \
        "$scratch" "tests/fuzz/corpus/$1"
}

# fuzz_signature NAME SECONDS: c14n beside libxml2's, verdicts beside xmlsec1's. Inputs are
# choices of a grammar, so there is no corpus to keep; the last line says how many there were.
fuzz_signature() {
    scratch=build/check/fuzz-$1
    mkdir -p "$scratch"
    ASAN_OPTIONS=quarantine_size_mb=8 "build/fuzz/$1" -max_len=600 -len_control=0 -max_total_time="$2" \
        -timeout=10 -print_final_stats=1 -seed="${FUZZ_SEED:-0}" -artifact_prefix="$scratch/" "$scratch"
}

# fuzz_wss SECONDS: signed and encrypted messages of other stacks, their trees edited.
fuzz_wss() {
    scratch=build/check/fuzz-wss
    mkdir -p "$scratch"
    ASAN_OPTIONS=quarantine_size_mb=8 build/fuzz/wss -max_len=64 -len_control=0 -max_total_time="$1" \
        -timeout=20 -print_final_stats=1 -seed="${FUZZ_SEED:-0}" -artifact_prefix="$scratch/" "$scratch"
}

# fuzz_vm KERNEL PROCESSORS SECONDS FUZZER...: as much as $messages and $frames say.
fuzz_vm() {
    kernel=$1 smp=$2 limit=$3
    shift 3
    one "build-$kernel" compile WERROR=1 modules vm-tests fuzzers KERNEL="$kernel" || return 0
    export FMP_FUZZ_MESSAGES="$messages" FMP_FUZZ_FRAMES="$frames" FMP_FUZZ_SEED="${FUZZ_SEED:-}"
    suite "fuzz-$kernel" scripts/vm --kernel "$kernel" --smp "$smp" --mem 2048 --timeout "$limit" \
        --log "build/check/$group-$kernel-kernel.log" -- tests/fuzz/run "$@" || true
}

fuzz_userspace() {
    if one build-userspace compile WERROR=1 fuzz; then
        doing "fuzzing the dissector for $seconds s, the pre-scan for $xml_seconds s"
        one dissect fuzz_dissect "$seconds" || true
        one screen fuzz_screen "$xml_seconds" || true
        doing "fuzzing the Security header's readers for $xml_seconds s"
        one wss fuzz_wss "$xml_seconds" || true
        for reader in http proxy saved streams decrypt; do
            doing "fuzzing the reader of $reader for $xml_seconds s"
            one "$reader" fuzz_reader "$reader" "$xml_seconds" || true
        done
        for signature in c14n verdict; do
            doing "fuzzing signatures ($signature) for $xml_seconds s"
            one "$signature" fuzz_signature "$signature" "$xml_seconds" || true
        done
    fi
}

# fuzz-long reads this file for the words above.
if [ "$group" = fuzz ]; then
    seconds=${FUZZ_SECONDS:-20} xml_seconds=${FUZZ_SECONDS:-20}
    messages=${FUZZ_MESSAGES:-20000} frames=${FUZZ_FRAMES:-50000}
    fuzz_userspace
    fuzz_vm 6.1 1 600 genl frames stack
fi
