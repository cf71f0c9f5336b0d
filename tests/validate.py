#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check Rackmark result files.

usage: validate.py [--complete] FILE...

Each line that ends in a newline must match results/record.schema.json, and the lines of a
run must come as run, record..., end. What follows the last newline is ignored: a run that
was killed leaves it. For each run one line is printed, "complete" or "incomplete: WHY".

Exit status: 1 when a line is invalid; with --complete also when a run is not complete, or
a file has none; else 0.
"""

import json
import os
import sys

import jsonschema

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "results",
                      "record.schema.json")


class Invalid(Exception):
    """A line that no Rackmark program writes."""


def load_schema():
    with open(SCHEMA, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    return schema


def validators(schema):
    """One for each kind: oneOf alone could only say that none of the three fits."""
    return {kind: jsonschema.Draft202012Validator(
                {"$defs": schema["$defs"], "$ref": f"#/$defs/{kind}"})
            for kind in ("run", "record", "end")}


def refuse_constant(text):
    raise Invalid(f"{text} is not JSON")


def refuse_duplicates(pairs):
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise Invalid(f"key {key!r} appears twice")
    return dict(pairs)


def parse(line):
    try:
        value = json.loads(line.decode("utf-8"), parse_constant=refuse_constant,
                           object_pairs_hook=refuse_duplicates)
    except ValueError as error:  # of JSON and of UTF-8
        raise Invalid(str(error)) from None
    if not isinstance(value, dict):
        raise Invalid("not an object")
    return value


def check_schema(value, checks):
    kind = value.get("kind")
    if not isinstance(kind, str) or kind not in checks:
        raise Invalid(f"unknown kind {kind!r}")
    error = next(checks[kind].iter_errors(value), None)
    if error:
        where = "/".join(str(part) for part in error.absolute_path) or kind
        raise Invalid(f"{where}: {error.message}")


def check_order(value, run):
    """run: [id, records so far, end mark or None] of the run above, or None."""
    if value["kind"] == "run":
        return [value["run"], 0, None]
    if run is None:
        raise Invalid(f"{value['kind']} before any run")
    if run[2] is not None:
        raise Invalid(f"{value['kind']} after the end of its run")
    if value["run"] != run[0]:
        raise Invalid(f"{value['kind']} of another run")
    if value["kind"] == "record":
        if value["index"] != run[1]:
            raise Invalid(f"index {value['index']} where {run[1]} is due")
        run[1] += 1
    elif value["records"] != run[1]:
        raise Invalid(f"{value['records']} records in the end mark, {run[1]} in the file")
    else:
        run[2] = value
    return run


def verdict(run):
    end = run[2]
    if end is None:
        return "incomplete: no end mark"
    if end["status"] != "complete":
        return f"incomplete: {end['status']}: {end['cause']}"
    return "complete"


def check_file(path, checks):
    """Returns what to say of each run, and whether all lines are valid. An invalid line is
    the last that is looked at: those after it depend on it."""
    with open(path, "rb") as file:
        lines = file.read().split(b"\n")[:-1]
    runs = []
    for number, line in enumerate(lines, 1):
        try:
            value = parse(line)
            check_schema(value, checks)
            run = check_order(value, runs[-1] if runs else None)
        except Invalid as error:
            print(f"{path}:{number}: {error}", file=sys.stderr)
            return [verdict(run) for run in runs[:-1]] + ["incomplete: invalid"], False
        if value["kind"] == "run":
            runs.append(run)
    return [verdict(run) for run in runs] or ["incomplete: no run"], True


def main(arguments):
    need_complete = "--complete" in arguments
    files = [argument for argument in arguments if argument != "--complete"]
    if not files or any(file.startswith("--") for file in files):
        sys.exit(__doc__)
    checks = validators(load_schema())
    good = True
    for path in files:
        verdicts, valid = check_file(path, checks)
        good = good and valid
        for text in verdicts:
            print(text)
            good = good and (text == "complete" or not need_complete)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
