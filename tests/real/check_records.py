#!/usr/bin/env python3
"""Is a length experiment against a real server what it should be?

    check_records.py DOCUMENT.json|LOG.jsonl LENGTH...

DOCUMENT.json is what `tokenpace bench --json` prints, LOG.jsonl a token_timing.jsonl. Prints a table of what was measured, and
each thing that is wrong; ends with 1 if there is any.
"""

import json
import statistics
import sys

# A prompt is made of words whose tokens are estimated from warm-ups: near its target, not on it. The chat template and the
# instruction at its end weigh most in a short one.
NEAR_SHARE = 0.15
NEAR_TOKENS = 30
# As commands.md has it for the flag `cached`: below this, what a prompt shares is its template.
CACHED_SHARE = 0.05
CACHED_TOKENS = 32


def read(path):
    with open(path, encoding="utf-8") as file:
        if path.endswith(".jsonl"):
            return [json.loads(line) for line in file if line.strip()]
        document = json.load(file)
    for key in ("tokenpace", "run", "records", "summary", "findings"):
        if key not in document:
            sys.exit(f"{path}: the document has no {key!r}")
    return document["records"]


def problems_of(record):
    """What is wrong with one measured record, apart from its neighbours."""
    target, prompt = record["prompt_tokens_target"], record["prompt_tokens"]
    if record["status"] != "ok":
        yield f"status {record['status']}: {record['error']}"
        return
    if record["token_source"] != "usage" or prompt is None or record["tokens"] is None:
        yield "no usage"
        return
    if abs(prompt - target) > max(NEAR_TOKENS, NEAR_SHARE * target):
        yield f"{prompt} prompt tokens, far from {target}"
    if (record["cached_tokens"] or 0) >= max(CACHED_TOKENS, CACHED_SHARE * prompt):
        yield f"{record['cached_tokens']} of {prompt} prompt tokens came out of the prefix cache"
    if not record["ttft_ms"] or record["ttft_ms"] <= 0:
        yield "no TTFT"
    if not record["tpot_ms"] or record["tpot_ms"] <= 0:
        yield "no TPOT"
    arrivals = record["arrivals_ms"]
    if record["chunks"] != len(arrivals) or arrivals != sorted(arrivals):
        yield "arrivals don't fit the chunks, or don't ascend"
    # The server names its own time for the prompt; what we saw can't be less.
    prefill = ((record["server"] or {}).get("timings") or record["server"] or {}).get("prompt_ms")
    if prefill is not None and record["ttft_ms"] and record["ttft_ms"] < prefill - 1:
        yield f"TTFT {record['ttft_ms']:.1f} ms is less than the server's own prefill, {prefill:.1f} ms"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    lengths = [int(text) for text in sys.argv[2:]]
    measured = [record for record in read(sys.argv[1]) if "warm-up" not in record["flags"]]
    problems = [f"request {record['seq']}: {text}" for record in measured for text in problems_of(record)]

    medians = []
    print(f"{'target':>8} {'n':>3} {'prompt':>7} {'TTFT P50 ms':>12} {'TPOT P50 ms':>12}")
    for length in lengths:
        rows = [r for r in measured if r["prompt_tokens_target"] == length and r["status"] == "ok"]
        # llama-server announces keep-alive and closes after a streamed reply all the same, so the second request may be sent twice
        # behind our back, before the client has learnt that.
        ttft = [r["ttft_ms"] for r in rows if r["ttft_ms"] and "resent" not in r["flags"]]
        tpot = [r["tpot_ms"] for r in rows if r["tpot_ms"]]
        prompt = [r["prompt_tokens"] for r in rows if r["prompt_tokens"]]
        if not (ttft and tpot and prompt):
            problems.append(f"length {length}: nothing was measured")
            continue
        medians.append(statistics.median(ttft))
        print(f"{length:>8} {len(rows):>3} {statistics.median(prompt):>7.0f} {medians[-1]:>12.1f} {statistics.median(tpot):>12.2f}")
    if any(later <= earlier for earlier, later in zip(medians, medians[1:])):
        problems.append("TTFT does not grow with the prompt's length")

    for problem in problems:
        print("WRONG:", problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
