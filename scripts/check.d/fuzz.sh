# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# A short run of the fuzzers: the byte pre-scan, the Security header, canonical forms, the gateway's
# readers, decryption, the dissector, what fmpd reads, the kernel's answers too; netlink and frames in the test VM. Whatever
# made one fail once is in tests/fuzz/corpus.

# fuzz NAME SECONDS OPTION...: the corpus first if there is one, then new inputs, which stay out
# of the repository: libFuzzer writes into the first directory. Its own exit status for a
# finding is 77, which means a skip here.
fuzz() {
    target=$1 limit=$2 scratch=build/check/fuzz-$1
    shift 2
    mkdir -p "$scratch"
    set -- "$@" "$scratch"
    [ ! -d "tests/fuzz/corpus/$target" ] || set -- "$@" "tests/fuzz/corpus/$target"
    ASAN_OPTIONS=quarantine_size_mb=8 "build/fuzz/$target" -max_total_time="$limit" -timeout=20 \
        -error_exitcode=1 -print_final_stats=1 -seed="${FUZZ_SEED:-0}" -artifact_prefix="$scratch/" "$@"
}

# fuzz_c14n SECONDS: so long again until $documents were compared, as the fuzzer's own report counts
# them. A round that ends without a report, or with none, has failed.
fuzz_c14n() {
    compared=0 round=0 rc=0
    while :; do
        # Each round has a seed of its own, or makes the same documents; 0 is another one each time.
        seed=${FUZZ_SEED:-0}
        [ "$seed" = 0 ] || seed=$((seed + round))
        fuzz c14n "$1" -max_len=600 -len_control=0 -seed="$seed" >build/check/fuzz-c14n.round 2>&1 || rc=$?
        cat build/check/fuzz-c14n.round
        [ "$rc" = 0 ] || return "$rc"
        in_round=$(sed -n 's/^c14n: [0-9]* inputs, \([0-9]*\) documents, .*/\1/p' build/check/fuzz-c14n.round)
        [ "${in_round:-0}" -gt 0 ] || { echo "c14n: has not said how many documents it compared"; return 1; }
        compared=$((compared + in_round)) round=$((round + 1))
        echo "c14n: $compared documents compared of $documents that are to be"
        [ "$compared" -lt "$documents" ] || return 0
    done
}

# fuzz_each SECONDS NAME...: one after the other.
fuzz_each() {
    each=$1
    shift
    for target; do
        doing "fuzzing $target for $each s"
        case $target in
        # The first byte of an input chooses the limits.
        screen) one screen fuzz screen "$each" -max_len=4096 -dict=tests/fuzz/xml.dict ;;
        dissect | filter_80211) one "$target" fuzz "$target" "$each" -max_len=300 ;;
        # Inputs are choices of a grammar, so there is no corpus to keep: the fast parser and c14n
        # beside libxml2's, what streaming validation refuses, rules on texts in pieces, verdicts beside xmlsec1's; signed and encrypted messages of other stacks, edited.
        c14n) one c14n fuzz_c14n "$each" ;;
        fast_parser | verdict | streaming_validate | content) one "$target" fuzz "$target" "$each" -max_len=600 -len_control=0 ;;
        wss) one wss fuzz wss "$each" -max_len=64 -len_control=0 ;;
        # Some answers are long.
        policy) one policy fuzz policy "$each" -max_len=4000 -dict=tests/fuzz/xml.dict ;;
        netlink) one netlink fuzz netlink "$each" -max_len=8000 ;;
        *) one "$target" fuzz "$target" "$each" -max_len=2000 ;;
        esac || true
    done
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

fuzz_parsers() {
    fuzz_each "$seconds" screen fast_parser wss c14n
    fuzz_each "$few_seconds" netlink verdict streaming_validate content policy nat64 path catalog apf
}

# What reads first what anybody may send gets most of the time. Two at a time where there
# are two processors.
fuzz_userspace() {
    if ! compile WERROR=1 fuzz >build/check/fuzz-build.log 2>&1; then
        report FAIL fuzz/build
        show_tail build/check/fuzz-build.log
        return 0
    fi
    if [ "$(nproc)" -gt 1 ]; then
        fuzz_parsers &
    else
        fuzz_parsers
    fi
    fuzz_each "$seconds" http mime describe proxy decrypt
    fuzz_each "$few_seconds" dissect filter_80211 answer saved request tcp_reassembly
    wait
}

# fuzz-long reads this file for the words above.
if [ "$group" = fuzz ]; then
    seconds=${FUZZ_SECONDS:-30} few_seconds=${FUZZ_SECONDS:-10}
    messages=${FUZZ_MESSAGES:-20000} frames=${FUZZ_FRAMES:-50000} documents=${FUZZ_DOCUMENTS:-1}
    fuzz_userspace
    fuzz_vm 6.1 1 600 genl frames stack
fi
