/*
 * Checksums, and signatures by which a project vouches for its programs.
 *
 * A key is the text of a <code_sign_key>: the number of bits, then modulus and exponent in hexadecimal, each as long as
 * the modulus, then a dot. A signature is hexadecimal too, with a dot at its end: the RSA signature (PKCS#1, block type
 * 1) over the 32 hexadecimal digits of an MD5 digest, as this protocol has had it for twenty years.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CLIENT_SIGNATURE_H
#define GRID_CLIENT_SIGNATURE_H

#include "text.h"

#define MD5_DIGITS 32

/* The digest of a file or of a text in lower-case hexadecimal; false if the file cannot be read. */
bool md5_of_file(const char *path, char digits[MD5_DIGITS + 1]);
void md5_of_text(const char *bytes, size_t length, char digits[MD5_DIGITS + 1]);

/* Whether the owner of `key` made `signature` for `digits`. Anything malformed is no signature. */
bool signature_is_right(const char *digits, const char *signature, const char *key);

#endif
