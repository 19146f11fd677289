"""Checks files of receipts by docs/verify_receipt.py, and that it refuses each with a flipped bit.

The first line of a file has the public keys, each further line is a receipt: python3 scripts/verify-receipts.py FILE…
"""

import json, pathlib, sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "docs"))
from verify_receipt import verify

for name in sys.argv[1:]:
    first, *receipts = pathlib.Path(name).read_bytes().splitlines()
    keys = json.loads(first)
    for at, text in enumerate(receipts):
        verify(text, keys)
        flipped = bytearray(text)
        flipped[at * 31 % len(flipped)] ^= 1 << at % 8
        try:
            verify(bytes(flipped), keys)
        except Exception:
            continue
        sys.exit(f"accepted: {flipped}")
    print(f"{name}: {len(receipts)} receipts are valid, and none with a flipped bit.")
