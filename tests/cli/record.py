# SPDX-License-Identifier: GPL-2.0
"""record.py DEVICE FILE: writes what goes over a device as a pcap, until it is ended."""

import signal
import socket
import struct
import sys
import time

OUTGOING = 4  # PACKET_OUTGOING: over loopback each packet passes twice

LAST_S = 2  # after the end, where others never pause

going = True
end_at = 0.0


def end(number, frame):
    global going, end_at
    going = False
    end_at = time.monotonic() + LAST_S


def main():
    signal.signal(signal.SIGTERM, end)
    sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16 << 20)
    sock.bind((sys.argv[1], 0))
    sock.settimeout(0.05)
    with open(sys.argv[2], "wb") as out:
        out.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 1 << 18, 1))
        print("ready", flush=True)
        while going or time.monotonic() < end_at:
            try:
                frame, origin = sock.recvfrom(1 << 17)
            except socket.timeout:
                if going:
                    continue
                break
            if origin[2] != OUTGOING:
                continue
            now = time.time_ns()
            out.write(struct.pack("<IIII", now // 10**9, now % 10**9, len(frame), len(frame)) + frame)


main()
