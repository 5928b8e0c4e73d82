# SPDX-License-Identifier: GPL-2.0
"""json_schema.py SCHEMA FILE...: what fmpctl --json wrote, against its schema.

A file is one array or one object a line. Says each record that does not fit; then the kinds that were
seen, one a line.
"""
import json
import sys

import jsonschema


def records(path):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    if text.lstrip().startswith("["):
        return json.loads(text)
    return [json.loads(line) for line in text.splitlines()]


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        schema = json.load(f)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    kinds, bad = set(), 0
    for path in sys.argv[2:]:
        for record in records(path):
            kinds.add(record.get("record", "inspect"))
            for error in validator.iter_errors(record):
                # Of the kinds, the one that it says it is explains best.
                causes = [c.message for c in error.context or [] if "was expected" not in c.message]
                print(f"{path}: {json.dumps(record)}: {causes or error.message}", file=sys.stderr)
                bad += 1
    print("\n".join(sorted(kinds)))
    return 1 if bad else 0


sys.exit(main())
