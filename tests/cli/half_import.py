# SPDX-License-Identifier: GPL-2.0
"""Replaces a set as fmpctl block --file --set does, and lets another do so in between.

half_import.py SOCKET SET ADDR ADDR COMMAND...  blocks the first ADDR, runs COMMAND, goes on with the second ADDR
Prints the code of fmpd's answer before and behind the command.
"""

import subprocess
import sys

from control import code_of_answer, connect, field, ipv4, message

BLOCK_MANY, FLUSH, SET_KEEP = 0x020c, 0x020e, 0x020f
ADDR, SET, KEPT = 4, 121, 116


def ask(path, kind, *fields):
    client = connect(path)
    client.sendall(message(kind, *fields))
    code = code_of_answer(client)
    client.close()
    return code


def main():
    path, name, first, second = sys.argv[1:5]
    of_set = field(SET, name.encode())
    ask(path, SET_KEEP, of_set)
    ask(path, SET_KEEP, of_set, field(ADDR, ipv4(first)), field(ADDR, ipv4(second)))
    ask(path, FLUSH, of_set, field(KEPT, 1))
    print(ask(path, BLOCK_MANY, of_set, field(ADDR, ipv4(first))))
    subprocess.run(sys.argv[5:], check=True, stdout=sys.stderr)
    print(ask(path, BLOCK_MANY, of_set, field(ADDR, ipv4(second))))


main()
