"""Checks a receipt of a mark, as docs/receipts.md describes it: python3 verify_receipt.py receipt.json keys.json

It needs the package cryptography.
"""

import json, math, sys
from base64 import urlsafe_b64decode
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

def decode(text):
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))

def canonical(receipt):  # whole numbers have no point in RFC 8785
    def plain(x):
        if isinstance(x, dict): return {k: plain(v) for k, v in x.items()}
        if isinstance(x, list): return [plain(v) for v in x]
        return int(x) if isinstance(x, float) and x == int(x) else x
    return json.dumps(plain(receipt), sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()

def share(z):
    return min(max((math.sin(min(max(z, 0), math.pi / 2)) ** 2 - .005) / .99, 0), 1)

def settle(r):
    marks, total = [v["mark"] for v in r["reviews"]], r["total"]
    if r["model"] in ("mean", "median"):
        s, n = sorted(marks), len(marks)
        return (sum(s) / n if r["model"] == "mean" else (s[(n - 1) // 2] + s[n // 2]) / 2), 0, 0
    mu, s2, kappa = r["scale"]["usual"], r["scale"]["noise"] ** 2, r["scale"]["kappa"]
    values = sorted((math.asin(math.sqrt(.005 + .99 * v["mark"] / total)) - v["strictness"], v["weight"]) for v in r["reviews"])
    w = [a for _, a in values]
    for left in reversed(range(3 if r["model"] == "SC2" else 11)):
        W = kappa + sum(w)
        theta = (kappa * mu + sum(x * v for x, (v, _) in zip(w, values))) / W
        if left: w = [a * 9 / (8 + (v - theta) ** 2 / s2) for v, a in values]
    estimate = min(max(total * share(theta), min(marks)), max(marks))
    r2 = (2 * s2 + sum(x * (v - theta) ** 2 for x, (v, _) in zip(w, values))) / ((2 + W - kappa) * W)
    half, mark = 1.28 * math.sqrt(r2 + .12 ** 2), math.floor(estimate + .5)
    return estimate, min(total * share(theta - half), estimate, mark), max(total * share(theta + half), estimate, mark)

def verify(text, keys):
    receipt = json.loads(text)
    assert canonical(receipt) == text, "not canonical"
    public = {k["id"]: k["public"] for k in keys["keys"]}[receipt["key"]]
    signature = receipt.pop("signature")
    assert len(signature) == 86 and signature[-1] in "AQgw", "not canonical"
    Ed25519PublicKey.from_public_bytes(decode(public)).verify(decode(signature), canonical(receipt))
    if "model" in receipt:
        made = [math.floor(x * 1e4 + .5) / 1e4 for x in settle(receipt)]
        assert made == [receipt[k] for k in ("estimate", "low", "high")], "other figures"
        assert math.floor(settle(receipt)[0] + .5) == receipt["mark"], "another mark"
    return receipt

if __name__ == "__main__":
    verify(open(sys.argv[1], "rb").read(), json.load(open(sys.argv[2])))
    print("The receipt is valid.")
