/* ARCHIVE - an input that is several files: a line `@ NAME` begins the file NAME.
 *
 * They are written into a folder of the harness, where it runs; one of them is a text for itself.
 */
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ARCHIVE_MAX_NAME = 40, ARCHIVE_MAX_FILES = 8 };

/* Not inlined, so that the place is in the stack that a fuzzer shows. */
static __attribute__((noinline, unused)) void require(bool is_true) {
    if (!is_true) abort();
}

static char folder[] = "/tmp/varabs-fuzz-XXXXXX";

static inline void empty_folder(void) {
    DIR *entries = opendir(folder);
    require(entries != NULL);
    for (struct dirent *entry; (entry = readdir(entries));)
        unlinkat(dirfd(entries), entry->d_name, 0);
    closedir(entries);
}

static inline void remove_folder(void) {
    empty_folder();
    rmdir(folder);
}

/* A folder of its own, which is emptied before every run. Gives where to go back to. */
static inline int enter_folder(void) {
    static bool is_there;
    int home = open(".", O_RDONLY);
    require(home >= 0 && (is_there || (mkdtemp(folder) && !atexit(remove_folder))));
    is_there = true;
    empty_folder();
    require(!chdir(folder));
    return home;
}

/* No temporary file is left. */
static inline void check_folder(void) {
    DIR *entries = opendir(".");
    require(entries != NULL);
    for (struct dirent *entry; (entry = readdir(entries));)
        require(entry->d_name[0] != '.' || strspn(entry->d_name, ".") == strlen(entry->d_name));
    closedir(entries);
}

static inline void write_file(const char *name, const char *from, const char *to) {
    FILE *file = fopen(name, "w");
    if (!file) return;
    fwrite(from, 1, (size_t)(to - from), file);
    fclose(file);
}

/* Writes the files; gives the one that is called `args`, in heap memory, or NULL. */
static inline char *unpack(const char *text) {
    char *args = NULL, name[ARCHIVE_MAX_NAME + 1];
    for (int files = 0; text && !strncmp(text, "@ ", 2) && files < ARCHIVE_MAX_FILES; files++) {
        size_t length = strcspn(text += 2, "\n");
        if (!text[length] || length > ARCHIVE_MAX_NAME || !length) break;
        memcpy(name, text, length);
        name[length] = 0;
        text += length + 1;
        const char *next = strncmp(text, "@ ", 2) ? strstr(text, "\n@ ") : text - 1;
        const char *end = next ? next + 1 : text + strlen(text);
        if (!strcmp(name, "args") && !args)
            args = strndup(text, (size_t)(end - text));
        else if (name[0] != '.' && !strchr(name, '/'))
            write_file(name, text, end);
        text = next ? end : NULL;
    }
    return args;
}
