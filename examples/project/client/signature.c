/*
 * SPDX-License-Identifier: MIT
 */
#include <ctype.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "signature.h"

#define MOST_BITS 4096
#define MOST_BYTES (MOST_BITS / 8)

static void write_digits(const unsigned char *digest, unsigned length, char *digits) {
    for (unsigned i = 0; i < length; i++) {
        snprintf(digits + (size_t)2 * i, 3, "%02x", digest[i]);
    }
}

bool md5_of_file(const char *path, char digits[MD5_DIGITS + 1]) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    char bytes[1 << 16];
    unsigned length = 0;
    FILE *file = fopen(path, "rbe");
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool read = file != NULL && context != NULL && EVP_DigestInit_ex(context, EVP_md5(), NULL) == 1;
    for (size_t count; read && (count = fread(bytes, 1, sizeof bytes, file)) > 0;) {
        read = EVP_DigestUpdate(context, bytes, count) == 1;
    }
    read = read && !ferror(file) && EVP_DigestFinal_ex(context, digest, &length) == 1;
    if (read) {
        write_digits(digest, length, digits);
    }
    EVP_MD_CTX_free(context);
    if (file != NULL) {
        fclose(file);
    }
    return read;
}

void md5_of_text(const char *bytes, size_t length, char digits[MD5_DIGITS + 1]) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned written = 0;
    digits[0] = '\0';
    if (EVP_Digest(bytes, length, digest, &written, EVP_md5(), NULL) == 1) {
        write_digits(digest, written, digits);
    }
}

/* Reads hexadecimal digits up to the dot, over blanks and newlines. Their number in bytes; 0 if they are not right. */
static size_t read_hexadecimal(const char *text, unsigned char *bytes, size_t most) {
    size_t digits = 0;
    for (; *text != '.'; text++) {
        if (isspace((unsigned char)*text)) {
            continue;
        }
        if (!isxdigit((unsigned char)*text) || digits == 2 * most) {
            return 0;
        }
        const char digit[2] = {*text, '\0'};
        const unsigned char value = (unsigned char)strtoul(digit, NULL, 16);
        bytes[digits / 2] = (unsigned char)(digits % 2 == 0 ? value << 4 : bytes[digits / 2] | value);
        digits++;
    }
    return digits % 2 == 0 ? digits / 2 : 0;
}

static EVP_PKEY *read_key(const char *text) {
    unsigned char bytes[2 * MOST_BYTES];
    char *rest;
    const unsigned long bits = strtoul(text, &rest, 10);
    const size_t length = (size_t)bits / 8;
    if (bits < 512 || bits > MOST_BITS || bits % 8 != 0 || read_hexadecimal(rest, bytes, sizeof bytes) != 2 * length) {
        return NULL;
    }
    BIGNUM *modulus = BN_bin2bn(bytes, (int)length, NULL);
    BIGNUM *exponent = BN_bin2bn(bytes + length, (int)length, NULL);
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    OSSL_PARAM *parameters = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    EVP_PKEY *key = NULL;
    if (modulus != NULL && exponent != NULL && builder != NULL && context != NULL &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, modulus) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, exponent) == 1 &&
        (parameters = OSSL_PARAM_BLD_to_param(builder)) != NULL && EVP_PKEY_fromdata_init(context) == 1 &&
        EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1) {
        key = NULL;
    }
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(builder);
    EVP_PKEY_CTX_free(context);
    BN_free(modulus);
    BN_free(exponent);
    return key;
}

bool signature_is_right(const char *digits, const char *signature, const char *key_text) {
    unsigned char signed_bytes[MOST_BYTES], opened[MOST_BYTES];
    size_t opened_length = sizeof opened;
    const size_t length =
        strchr(signature, '.') == NULL ? 0 : read_hexadecimal(signature, signed_bytes, sizeof signed_bytes);
    EVP_PKEY *key = length == 0 || strchr(key_text, '.') == NULL ? NULL : read_key(key_text);
    EVP_PKEY_CTX *context = key == NULL ? NULL : EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    const bool right = context != NULL && EVP_PKEY_verify_recover_init(context) == 1 &&
                       EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1 &&
                       EVP_PKEY_verify_recover(context, opened, &opened_length, signed_bytes, length) == 1 &&
                       opened_length == MD5_DIGITS && memcmp(opened, digits, MD5_DIGITS) == 0;
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(key);
    return right;
}
