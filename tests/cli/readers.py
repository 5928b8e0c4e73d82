# SPDX-License-Identifier: GPL-2.0
"""
Clients for gateway_memory.sh that read what they are answered.

Usage: readers.py PORT N FILE LENGTH [SOURCE]

N clients, all at once, each of its own address (or all of SOURCE), send FILE as a message. Prints how
many of them got 200 and LENGTH bytes, and of the others what they got.
"""
import http.client
import sys
import threading

port, count, path, length = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
with open(path, "rb") as file:
    message = file.read()
begin = threading.Barrier(count)
got = [""] * count


def client(number):
    source = sys.argv[5] if len(sys.argv) > 5 else "127.0.1.%d" % (number + 1)
    to = http.client.HTTPConnection("127.0.0.1", port, 60, (source, 0))
    to.connect()
    begin.wait()
    try:
        to.request("POST", "/orders", message, {"Content-Type": "text/xml"})
        answer = to.getresponse()
        got[number] = "%d with %d bytes" % (answer.status, len(answer.read()))
    except (OSError, http.client.HTTPException) as error:
        got[number] = repr(error)


threads = [threading.Thread(target=client, args=(number,)) for number in range(count)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
whole = "200 with %d bytes" % length
print(got.count(whole))
for what in sorted(set(got) - {whole}):
    print(got.count(what), what)
