/* Gives a fuzzing harness the files named on the command line, one after the other, without a
 * fuzzer: what was found once stays found, in every build. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SIZE_MAX_OF_FILE = 1 << 24 };

static int replay(const char *path) {
    FILE *file = fopen(path, "rb");
    uint8_t *data = file ? malloc(SIZE_MAX_OF_FILE) : NULL;
    if (!data) {
        perror(path);
        return EXIT_FAILURE;
    }
    size_t size = fread(data, 1, SIZE_MAX_OF_FILE, file);
    fclose(file);
    /* As long as the input is, so that a sanitizer sees what is read behind it. */
    uint8_t *exact = realloc(data, size ? size : 1);
    if (!exact) abort();
    fprintf(stderr, "%s\n", path);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return EXIT_SUCCESS;
}

int main(int count, char **paths) {
    int status = EXIT_SUCCESS;
    for (int i = 1; i < count; i++)
        if (replay(paths[i]) != EXIT_SUCCESS) status = EXIT_FAILURE;
    return status;
}
