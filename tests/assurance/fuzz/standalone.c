/*
 * A fuzz target as a plain program, for compilers without libFuzzer, for AFL++, and to see a finding again.
 *
 *     TARGET FILE...                   tries the files; with folders, every file in them
 *     TARGET --random COUNT [SEED]     tries that many random inputs, of up to 64 bytes; all are different
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (1u << 20)
#define MOST_RANDOM_BYTES 64

static uint64_t inputs;

static void try_file(const char *path, FILE *file) {
    uint8_t *buffer = fuzz_allocate(MOST_BYTES);
    const size_t size = fread(buffer, 1, MOST_BYTES, file);
    uint8_t *input = fuzz_allocate(size);
    memcpy(input, buffer, size);
    free(buffer);
    if (getenv("FUZZ_VERBOSE") != NULL) {
        fprintf(stderr, "%s\n", path);
    }
    LLVMFuzzerTestOneInput(input, size);
    inputs++;
    free(input);
}

static void try_folder(const char *path, DIR *folder) {
    char name[4096];
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        FILE *file = entry->d_name[0] == '.' ? NULL : fopen(name, "rb");
        if (file != NULL) {
            try_file(name, file);
            fclose(file);
        }
    }
}

static bool try_path(const char *path) {
    DIR *folder = opendir(path);
    if (folder != NULL) {
        try_folder(path, folder);
        closedir(folder);
        return true;
    }
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return false;
    }
    try_file(path, file);
    fclose(file);
    return true;
}

static uint64_t next(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* The input that is tried; a fault of it is written down, to be tried alone. */
static void try_random(uint64_t seed) {
    uint64_t state = seed;
    const size_t size = 8 + next(&state) % (MOST_RANDOM_BYTES - 8 + 1);
    uint8_t input[MOST_RANDOM_BYTES];
    for (size_t i = 0; i < size; i++) {
        input[i] = (uint8_t)(next(&state) >> 56);
    }
    LLVMFuzzerTestOneInput(input, size);
    inputs++;
}

int main(int count, char **arguments) {
    if (count >= 3 && strcmp(arguments[1], "--random") == 0) {
        const uint64_t wanted = strtoull(arguments[2], NULL, 10);
        const uint64_t seed = count > 3 ? strtoull(arguments[3], NULL, 10) : 1;
        const char *log = getenv("FUZZ_SEED_FILE");
        for (uint64_t i = 0; i < wanted; i++) {
            if (log != NULL && i % 10000 == 0) {
                FILE *file = fopen(log, "w");
                if (file != NULL) {
                    fprintf(file, "%" PRIu64 "\n", seed + i);
                    fclose(file);
                }
            }
            try_random(seed + i);
        }
    } else {
        for (int i = 1; i < count; i++) {
            if (!try_path(arguments[i])) {
                return 1;
            }
        }
    }
    printf("%" PRIu64 " inputs\n", inputs);
    return 0;
}
