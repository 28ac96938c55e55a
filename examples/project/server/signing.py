# SPDX-License-Identifier: MIT
"""Signatures: of programs, which clients check before they run them, and of uploads, which only this server checks.

A program is signed as the deployed clients expect it: RSA with 1024 bits and PKCS #1 padding of type 1, over the MD5 of
the file as 32 hexadecimal digits. Both are what these clients know, and neither is what one would choose today. The
private key is needed only where programs are signed; it need not be on the server.

An upload is signed with HMAC-SHA-256, by a key that never leaves the server.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import NamedTuple

BITS = 1024
_BYTES = BITS // 8
_EXPONENT = 65537
_PER_LINE = 32


class PrivateKey(NamedTuple):
    """An RSA key: its modulus is the product of two primes."""

    modulus: int
    exponent: int

    def text(self) -> str:
        """For a file."""
        return f"{self.modulus:x}\n{self.exponent:x}\n"


def read_private_key(text: str) -> PrivateKey:
    """A key from its file."""
    modulus, exponent = text.split()
    return PrivateKey(int(modulus, 16), int(exponent, 16))


def _is_prime(number: int) -> bool:
    """Miller's and Rabin's test: it is wrong less than once in 2^128 times."""
    if any(number % small == 0 for small in (3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)):
        return False
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for _ in range(64):
        power = pow(secrets.randbelow(number - 3) + 2, odd, number)
        if power in (1, number - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True


def _prime(bits: int) -> int:
    while True:
        # With its two highest bits set, the product of two such primes has all its bits.
        number = secrets.randbits(bits) | 3 << bits - 2 | 1
        if number % _EXPONENT != 1 and _is_prime(number):
            return number


def new_key() -> PrivateKey:
    """A new key for programs."""
    first, second = _prime(BITS // 2), _prime(BITS // 2)
    return PrivateKey(first * second, pow(_EXPONENT, -1, (first - 1) * (second - 1)))


def public_key_text(key: PrivateKey) -> str:
    """The public key as clients read it: the number of bits, then modulus and exponent."""
    return f"{BITS}\n" + _lines(key.modulus.to_bytes(_BYTES, "big") + _EXPONENT.to_bytes(_BYTES, "big"))


def sign(content: bytes, key: PrivateKey) -> str:
    """The signature of a program, as clients read it."""
    digest = hashlib.md5(content).hexdigest().encode()
    block = b"\0\1" + b"\xff" * (_BYTES - 3 - len(digest)) + b"\0" + digest
    return _lines(pow(int.from_bytes(block, "big"), key.exponent, key.modulus).to_bytes(_BYTES, "big"))


def _lines(data: bytes) -> str:
    return "".join(data[start:start + _PER_LINE].hex() + "\n" for start in range(0, len(data), _PER_LINE)) + ".\n"


def sign_upload(name: str, most: int, secret: bytes) -> str:
    """Whoever has this may upload a file of this name, of so many bytes at most."""
    return hmac.new(secret, f"{name} {most}".encode(), hashlib.sha256).hexdigest()


def is_upload_signed(name: str, most: int, signature: str, secret: bytes) -> bool:
    """Whether sign_upload() said so."""
    return hmac.compare_digest(sign_upload(name, most, secret).encode(), signature.encode())
