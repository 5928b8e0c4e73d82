#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Usage: secure_flood.py DIR SECONDS RATE

Makes keys in DIR, says `keys`, and reads the port of a gateway with TLS and these keys, under BcES,
from standard input. Then for SECONDS it sends RATE messages a second: half of them are good, signed
and encrypted, and no two of them the same; the others are copies, forgeries, with another cipher text,
without security, malformed, and of another method. Connections are kept for 50 messages. Writes JSON:
of each kind how many were sent, and which statuses came back. Exit status: 0 if all good ones were
answered with 200 and none of the others.
"""
import collections
import http.client
import json
import os
import queue
import ssl
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../bench"))
from gateway_messages import BATCH, Maker

SENDERS = 4
KEPT_FOR = 50
KINDS = ("good", "copy", "good", "forged", "good", "cipher", "good", "plain", "good", "malformed", "good", "method")
STATUS = collections.defaultdict(collections.Counter)


def changed(text, mark):
    """One letter of Base64 behind the mark is another."""
    at = text.index(mark) + len(mark) + 40
    return text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :]


def cipher_changed(text):
    data = text.index("<xenc:EncryptedData")
    return text[:data] + changed(text[data:], "<xenc:CipherValue>")


class Sender(threading.Thread):
    """One connection at a time, one message every so often."""

    def __init__(self, number, port, end, every, fresh, plain):
        super().__init__(daemon=True)
        self.number, self.port, self.end, self.every, self.fresh, self.plain = number, port, end, every, fresh, plain
        self.connection, self.sent, self.last = None, 0, None

    def connect(self):
        if self.connection:
            self.connection.close()
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self.connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=context, timeout=30)

    def body(self, kind):
        if kind == "plain":
            return self.plain
        if kind == "malformed":
            return self.last[: len(self.last) // 2]
        if kind not in ("good", "forged", "cipher"):
            return self.last
        # What was seen before would be a copy to the gateway, whatever else is wrong with it.
        text = self.fresh.get(timeout=60)
        if kind == "forged":
            return changed(text, "<ds:SignatureValue>")
        if kind == "cipher":
            return cipher_changed(text)
        self.last = text
        return text

    def send(self, kind):
        if self.sent % KEPT_FOR == 0:
            self.connect()
        self.sent += 1
        kind = kind if self.last else "good"
        body = self.body(kind).encode()
        try:
            self.connection.request("GET" if kind == "method" else "POST", "/orders", body, {"Content-Type": "text/xml", "SOAPAction": '""'})
            answer = self.connection.getresponse()
            answer.read()
            status = answer.status
        except (OSError, http.client.HTTPException) as error:
            status = type(error).__name__
            self.connect()
        STATUS[kind][status] += 1

    def run(self):
        due = time.monotonic() + self.number * self.every / SENDERS
        kinds = self.number
        while due < self.end:
            time.sleep(max(0, due - time.monotonic()))
            self.send(KINDS[kinds % len(KINDS)])
            kinds += 1
            due = max(due + self.every, time.monotonic() - self.every)


def main():
    directory, seconds, rate = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    maker = Maker(directory)
    with open(maker.plain(1), encoding="utf-8") as file:
        plain = file.read()
    print("keys", flush=True)
    port = int(sys.stdin.readline())
    fresh = queue.Queue(2 * BATCH)
    end = time.monotonic() + seconds
    senders = [Sender(n, port, end, SENDERS / rate, fresh, plain) for n in range(SENDERS)]
    for sender in senders:
        sender.start()
    # Messages are made while others are sent: they are good for an hour.
    while time.monotonic() < end:
        # In one second the same would be made again.
        time.sleep(1 - time.time() % 1)
        for text in maker.both_texts(1, "rsa2048", BATCH):
            while time.monotonic() < end:
                try:
                    fresh.put(text, timeout=1)
                    break
                except queue.Full:
                    pass
    for sender in senders:
        sender.join()
    print(json.dumps({kind: {str(status): n for status, n in counts.items()} for kind, counts in STATUS.items()}))
    passed = all((status == 200) == (kind == "good") for kind, counts in STATUS.items() for status in counts)
    return 0 if passed and set(STATUS) == set(KINDS) else 1


if __name__ == "__main__":
    sys.exit(main())
