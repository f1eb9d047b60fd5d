#!/usr/bin/env python3
"""Do the protocols of one server give the same numbers?

    compare_protocols.py CHAT.json OTHER.json...

Each is a document that `tokenpace bench --json` wrote. Prints, for each length, how TTFT and TPOT of the others relate to those
of the first: the median of the ratios of requests, and whether noise explains it. Ends with 1 if it does not.
"""

import json
import statistics
import sys

# The spread of the repeats of one protocol, as a share of their median, and this much more for a machine whose load changes
# between two runs of some minutes.
DRIFT = 0.25


def measured(path):
    with open(path, encoding="utf-8") as file:
        records = json.load(file)["records"]
    return [r for r in records if r["status"] == "ok" and "warm-up" not in r["flags"]]


def values(records, length, key):
    left_out = {"resent", "cached"}
    return [r[key] for r in records if r["prompt_tokens_target"] == length and r[key] and not left_out & set(r["flags"])]


def spread(numbers):
    return (max(numbers) - min(numbers)) / statistics.median(numbers)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    first = measured(sys.argv[1])
    wrong = []
    print(f"{'protocol':>20} {'length':>7} {'TTFT ratio':>11} {'TPOT ratio':>11}")
    for path in sys.argv[2:]:
        other = measured(path)
        protocol = other[0]["protocol"] if other else path
        for length in sorted({r["prompt_tokens_target"] for r in first}):
            ratios = []
            for key in ("ttft_ms", "tpot_ms"):
                ours, theirs = values(first, length, key), values(other, length, key)
                if not ours or not theirs:
                    wrong.append(f"{protocol}, length {length}: no {key}")
                    continue
                ratio = statistics.median(theirs) / statistics.median(ours)
                ratios.append(ratio)
                noise = DRIFT + max(spread(ours), spread(theirs))
                if abs(ratio - 1) > noise:
                    wrong.append(f"{protocol}, length {length}: {key} is {ratio:.2f} times that of the first")
            print(f"{protocol:>20} {length:>7} " + " ".join(f"{ratio:>11.2f}" for ratio in ratios))
    for problem in wrong:
        print("WRONG:", problem)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
