# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154
#
# Messages of WSS4J that encrypt more than the Body; sourced by live.sh.

# accept_encrypted CONFIG KIND MORE ENCRYPTED MESSAGE: by each cipher, with RSA-OAEP of SHA-1 or of SHA-256.
accept_encrypted() {
    serve "$1" '' "$3<require $4/>$CBC"
    group "$1" "$2" "$5-cbc128" "$5-cbc256"
    ends "$1-$5-cbc"
    serve "$1" '' "$3<require $4/>"
    group "$1" "$2" "$5-gcm128" "$5-gcm256"
}

# says_why NAME WORDS: refused as unencrypted, in these words.
says_why() {
    refused "$T/out/$1.xml" unencrypted || return 1
    last_event | grep -q "$2" || { last_event; return 1; }
}

wss4j_encrypted_parts() {
    local users='<username passwords="passwords"/>' all="username To MessageID"
    accept_encrypted BcE decrypt "$users" 'encrypted="username"' hide-user
    check BcE-wss4j-hide-user-replayed refused "$T/out/hide-user-gcm128.xml" replay
    check BcE-wss4j-hide-user-content says_why hide-user-content 'the UsernameToken is not encrypted'
    check BcE-wss4j-hide-none says_why hide-none 'the UsernameToken is not encrypted'
    ends BcE-hide-user
    accept_encrypted BcE decrypt '' 'encrypted="To MessageID"' hide-blocks
    check BcE-wss4j-hide-blocks-content says_why hide-blocks-content 'the To is not encrypted'
    check BcE-wss4j-hide-blocks-bare says_why hide-blocks-bare 'EncryptedData as a header block'
    ends BcE-hide-blocks
    accept_encrypted BcES decrypt "$users" "encrypted=\"$all signature\" signed=\"To MessageID Action\"" hide-all
    check BcES-wss4j-hide-all-replayed refused "$T/out/hide-all-gcm128.xml" replay
    ends BcES-hide-all
    accept_encrypted BcES signature "$users" "encrypted=\"$all\" signed=\"To MessageID Action\" order=\"encrypt-then-sign\"" hide-then-sign-rsa
    accept_encrypted BcES signature "$users" "encrypted=\"$all\" order=\"encrypt-then-sign\"" hide-then-sign-ec256
    check BcES-wss4j-hide-then-sign-other-order refused "$T/out/hide-all-gcm256.xml" '[a-z]*'
    ends BcES-hide-then-sign
}
