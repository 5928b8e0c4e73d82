# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Who answers in fmpd's place is not believed: a stranger's socket in the temporary directory, in a folder
# of his, or in one that others may write to. In folders for temporary files of our own.

if [ "${1:-}" != inside ]; then
    [ "$(id -u)" = 0 ] || { echo "skip fmpctl_trust: only root can be somebody else"; exit 0; }
    unshare --mount --net true 2>/dev/null || { echo "skip fmpctl_trust: no right to mount"; exit 0; }
    exec unshare --mount --net bash "$0" inside
fi
mount -t tmpfs -o mode=755 tmpfs /run && mount -t tmpfs -o mode=1777 tmpfs /tmp || exit 1
mkdir -m 755 /run/test
export TMPDIR=/run/test

. tests/cli/lib.sh

STRANGER=65533
USER_ID=65534
CTL=$(realpath "$BIN/fmpctl")

# The same as the user.
printf '#!/bin/sh\nexec setpriv --reuid=%s --regid=%s --clear-groups %s "$@"\n' "$USER_ID" "$USER_ID" "$CTL" >"$T/ctl"
chmod 755 "$T/ctl"

# Says "done" to all, and keeps what he was told in $T/told.
cat >"$T/stranger.py" <<'PY'
import os, socket, struct, sys
os.setgroups([])
os.setgid(int(sys.argv[2]))
os.setuid(int(sys.argv[2]))
end = struct.pack(">HHIQ", 0x0281, 2, 8, 0)
told = open(sys.argv[1], "ab", 0)
listening = []
for path in sys.argv[3:]:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    s = socket.socket(socket.AF_UNIX)
    s.bind(path)
    os.chmod(path, 0o777)
    s.listen(8)
    listening.append(s)
for s in listening[1:]:
    if os.fork() == 0:
        listening[0] = s
        break
while True:
    c = listening[0].accept()[0]
    got = c.recv(4096)
    told.write(got)
    if got:
        try:
            c.sendall(struct.pack(">I", len(end)) + end)
        except OSError:
            pass
    c.close()
PY

# stranger PATH...: listens there; ends by strangers_end.
stranger() {
    : >"$T/told"
    chmod 666 "$T/told"
    setsid python3 "$T/stranger.py" "$T/told" "$STRANGER" "$@" &
    WHO=$!
    wait_for 10 test -S "${*: -1}"
}
strangers_end() {
    kill -- "-$WHO"
    wait "$WHO" 2>/dev/null
    rm -rf /tmp/* /run/user
}

# not_believed STATUS WORDS COMMAND...: it ends with STATUS and WORDS, and the stranger was told nothing.
not_believed() {
    local want=$1 words=$2 rc=0
    shift 2
    timeout 20 "$@" >"$T/said" 2>&1 || rc=$?
    [ "$rc" = "$want" ] && grep -q -- "$words" "$T/said" && [ ! -s "$T/told" ] && return 0
    echo "$*: $rc, $(cat "$T/said"), the stranger was told $(wc -c <"$T/told") bytes"
    return 1
}

root_looks_in_no_temporary_directory() {
    local rc=0
    stranger /tmp/fmp-0/control /tmp/fmp-0/report /tmp/run/fmp-control /tmp/run/fmp-report || return 1
    for dir in '' /tmp/run; do
        export XDG_RUNTIME_DIR=$dir
        not_believed 3 "can't reach fmpd at /run/fmp/control" "$CTL" protect add 192.0.2.1 &&
            not_believed 3 "can't reach fmpd at /run/fmp/control" "$CTL" block 192.0.2.1 &&
            not_believed 3 "can't reach fmpd at /run/fmp/report" "$CTL" report 192.0.2.1 login &&
            not_believed 3 "can't reach fmpd at /run/fmp/report" env PAM_RHOST=192.0.2.1 PAM_USER=root "$CTL" report --pam || rc=1
    done
    unset XDG_RUNTIME_DIR
    strangers_end
    return "$rc"
}

user_believes_no_stranger() {
    local rc=0
    stranger "/tmp/fmp-$USER_ID/control" "/tmp/fmp-$USER_ID/report" /tmp/run/fmp-control /tmp/run/fmp-report || return 1
    for dir in '' /tmp/run; do
        export XDG_RUNTIME_DIR=$dir
        not_believed 3 "not trusted: the folder belongs to user $STRANGER" "$T/ctl" protect add 192.0.2.1 &&
            not_believed 3 "not trusted: the folder belongs to user $STRANGER" "$T/ctl" report 192.0.2.1 login || rc=1
    done
    unset XDG_RUNTIME_DIR
    strangers_end
    return "$rc"
}

named_stranger_is_not_believed() {
    local rc=0 ctl
    stranger /tmp/control /tmp/report /tmp/his/control || return 1
    for ctl in "$CTL" "$T/ctl"; do
        not_believed 3 "not trusted: it runs as user $STRANGER" "$ctl" --control /tmp/control protect add 192.0.2.1 &&
            not_believed 3 "not trusted: it runs as user $STRANGER" "$ctl" --control /tmp/control report 192.0.2.1 login &&
            not_believed 3 "the folder belongs to user $STRANGER" "$ctl" --control /tmp/his/control status &&
            (cd /tmp/his && not_believed 3 "the folder belongs to user $STRANGER" "$ctl" --control control status) || rc=1
    done
    # A link into a folder of our own is no better.
    ln -s /tmp/report /run/test/report
    not_believed 3 "not trusted: it runs as user $STRANGER" "$CTL" --control /run/test/control report 192.0.2.1 login || rc=1
    strangers_end
    return "$rc"
}

fmpd_at() { # UID OPTION...: waits for it
    setpriv "--reuid=$1" "--regid=$1" --clear-groups "$BIN/fmpd" --foreground --enforce none --policy policies/balanced.xml --state none "${@:2}" 2>"$T/fmpd.err" &
    FMPD=$!
    pids+=("$FMPD")
}
fmpd_ends() { kill "$FMPD"; wait "$FMPD"; }

folder_of_all_is_not_trusted() {
    local rc=0
    : >"$T/told"
    mkdir -m 777 /run/all
    fmpd_at 0 --control /run/all/control
    wait_for 20 test -S /run/all/control || rc=1
    not_believed 3 'others may write to the folder (mode 777); chmod go-w' "$CTL" --control /run/all/control status || rc=1
    chmod 770 /run/all
    not_believed 3 'mode 770' "$CTL" --control /run/all/control status || rc=1
    # Nobody replaces what another has made there.
    chmod 1777 /run/all
    "$CTL" --control /run/all/control status >/dev/null || rc=1
    chmod 755 /run/all
    "$CTL" --control /run/all/control status >/dev/null || rc=1
    fmpd_ends
    return "$rc"
}

users_own_is_found() { # [DIR]
    local rc=0
    export XDG_RUNTIME_DIR=${1:-}
    [ -z "$XDG_RUNTIME_DIR" ] || { mkdir -m 700 "$1" && chown "$USER_ID" "$1"; }
    fmpd_at "$USER_ID"
    wait_for 20 "$T/ctl" status && "$T/ctl" report 192.0.2.1 login || { cat "$T/fmpd.err"; rc=1; }
    # Root asks for the system's.
    : >"$T/told"
    not_believed 3 "can't reach fmpd at /run/fmp/control" "$CTL" status || rc=1
    fmpd_ends
    unset XDG_RUNTIME_DIR
    return "$rc"
}

fmpd_takes_no_folder_of_all() {
    local rc=0
    mkdir -m 777 "/tmp/fmp-$USER_ID" && chown "$USER_ID" "/tmp/fmp-$USER_ID"
    fmpd_at "$USER_ID"
    wait "$FMPD" && rc=1
    grep -q "others may write to /tmp/fmp-$USER_ID" "$T/fmpd.err" || { cat "$T/fmpd.err"; rc=1; }
    rm -rf "/tmp/fmp-$USER_ID"
    return "$rc"
}

check root_looks_in_no_temporary_directory root_looks_in_no_temporary_directory
check user_believes_no_stranger user_believes_no_stranger
check named_stranger_is_not_believed named_stranger_is_not_believed
check folder_of_all_is_not_trusted folder_of_all_is_not_trusted
check fmpd_takes_no_folder_of_all fmpd_takes_no_folder_of_all
check users_own_is_found users_own_is_found
check users_own_in_its_folder users_own_is_found /run/own
