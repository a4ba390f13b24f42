/* What the programs of tests share: files in memory, and checks that are counted. */
#ifndef KIT_H
#define KIT_H

#include <stdio.h>
#include <stdlib.h>

static int faults = 0;

#define CHECK(condition)                                      \
    do {                                                      \
        if (!(condition)) {                                   \
            printf("line %d: %s\n", __LINE__, #condition);    \
            faults++;                                         \
        }                                                     \
    } while (0)

static unsigned char *read_file(const char *name, size_t *length) {
    FILE *file = fopen(name, "rb");
    long size;
    unsigned char *bytes;
    if (!file || fseek(file, 0, SEEK_END) || (size = ftell(file)) < 0 || fseek(file, 0, SEEK_SET)) exit(2);
    *length = (size_t)size;
    bytes = malloc(*length);
    if (!bytes || fread(bytes, 1, *length, file) != *length) exit(2);
    fclose(file);
    return bytes;
}

#endif
