# SPDX-License-Identifier: GPL-2.0
"""Usage: compare.py NAME VERDICTS FMP ERRORS: is each document taken and refused alike? See builtins.sh."""
import json
import os
import sys

name, verdicts, fmp, errors = sys.argv[1:]
taken = {}
with open(fmp) as f:
    for line in f:
        entry = json.loads(line)
        by_schema = entry["verdict"] == "accept" or entry.get("step") == "schema"
        taken[os.path.basename(entry["file"])] = (entry["verdict"] == "accept" if by_schema else None, entry.get("detail", ""))
with open(errors) as f:
    notes = f.read()
n = legal = faults = 0
with open(verdicts) as f:
    for line in f:
        file, what, said, *why = line.rstrip("\n").split("\t")
        got, detail = taken.get(file, (None, "no verdict"))
        n, legal = n + 1, legal + (said == "yes")
        illegal_seed = what == "unchanged" and said != "yes"
        if illegal_seed or got is None or got != (said == "yes"):
            faults += 1
            if faults <= 3:
                print(f"    {name} {file}: {what}: Xerces {said} {' '.join(why)} | fmp {got} {detail}")
if not n or not legal or legal == n:
    faults += 1
if notes:
    print("    " + notes.replace("\n", "\n    ").rstrip())
print(f"{'FAILED' if faults else 'ok'} {name}: {n} documents, {legal} legal, {faults} judged otherwise")
sys.exit(faults != 0)
