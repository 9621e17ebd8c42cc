#define _DEFAULT_SOURCE /* mmap with MAP_ANONYMOUS, madvise */
#include "base/pages.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __EMSCRIPTEN__ /* memory is one piece that grows */

void *pages_take(size_t size, bool is_huge) {
    (void)is_huge;
    return calloc(1, size);
}

void pages_give(void *memory, size_t size) {
    (void)size;
    free(memory);
}

void *pages_reserve(size_t size) {
    (void)size;
    return malloc(1);
}

void *pages_open(void *reserved, size_t used, size_t size) {
    char *memory = realloc(reserved, size);
    if (memory) memset(memory + used, 0, size - used);
    return memory;
}

void pages_ask(void *memory, size_t size) {
    (void)memory;
    (void)size;
}

#else

#include <sys/mman.h>

enum { HUGE_PAGE = 1 << 21, SMALL_PAGE = 1 << 12, READ_WRITE = PROT_READ | PROT_WRITE };

static void *map(size_t size, bool is_huge, int protection) {
    if (size < HUGE_PAGE || !is_huge) {
        void *memory = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return memory == MAP_FAILED ? NULL : memory;
    }
    char *memory = mmap(NULL, size + HUGE_PAGE, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    size_t before = HUGE_PAGE - (uintptr_t)memory % HUGE_PAGE; /* large pages are aligned */
    munmap(memory, before);
    if (before < HUGE_PAGE) munmap(memory + before + size, HUGE_PAGE - before);
    madvise(memory + before, size, MADV_HUGEPAGE);
    return memory + before;
}

void *pages_take(size_t size, bool is_huge) { return map(size, is_huge, READ_WRITE); }

void pages_give(void *memory, size_t size) {
    if (memory) munmap(memory, size);
}

void *pages_reserve(size_t size) { return map(size, true, PROT_NONE); }

void *pages_open(void *reserved, size_t used, size_t size) {
    assert(used <= size);
    return mprotect(reserved, size, READ_WRITE) ? NULL : reserved;
}

void pages_ask(void *memory, size_t size) {
    size_t before = (uintptr_t)memory % SMALL_PAGE; /* a mapping of two kinds could not be moved */
    if (size >= HUGE_PAGE) madvise((char *)memory - before, size + before, MADV_HUGEPAGE);
}

#endif
