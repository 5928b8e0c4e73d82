# SPDX-License-Identifier: GPL-2.0
"""record.py DEVICE FILE: writes what goes over a device as a pcap, until it is ended."""

import signal
import socket
import struct
import sys
import time

OUTGOING = 4  # PACKET_OUTGOING: over loopback each packet passes twice

going = True


def end(number, frame):
    global going
    going = False


def main():
    signal.signal(signal.SIGTERM, end)
    sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16 << 20)
    sock.bind((sys.argv[1], 0))
    sock.settimeout(0.05)
    with open(sys.argv[2], "wb") as out:
        out.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 1 << 18, 1))
        print("ready", flush=True)
        while True:
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
