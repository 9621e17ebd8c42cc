/* What has been said to be taken since the last look, and when to look again. */
#define _DEFAULT_SOURCE /* sbrk */
#include "base/memory.h"

#include "base/interrupt.h"
#include "base/pages.h"
#include "base/resources.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define IS_SANITIZED 1
#elif defined __has_feature
#define IS_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define IS_SANITIZED 0
#endif

/* What is freed at the end of the heap and kept; larger pieces than blocks of arenas go at once. */
enum { MOST_KEPT = 1 << 26, KEPT_PART = 16, LARGE_PIECE = 1 << 21 };
/* The heap grows by HEAP_STEP at least, and from SMALL_HEAP on asks for large pages. */
enum { HEAP_STEP = 1 << 24, HEAP_LEAST = 1 << 21, SMALL_HEAP = 1 << 20 };
/* Parts of the limit, and bytes. */
enum { SPARE_PART = 16, SEARCH_PART = 8, STEP_PART = 4, LEAST_STEP = 1 << 20 };
enum { STATUS_LIMIT = 5 };

static void end_program(void) {
    fputs("varabs: error: out of memory\n", stderr);
    exit(STATUS_LIMIT);
}

static void (*end_process)(void) = end_program;

void memory_on_failure(void (*end)(void)) { end_process = end; }

_Noreturn void memory_is_over(void) {
    end_process();
    abort();
}

static size_t most = SIZE_MAX, base; /* set before there are threads */
static _Atomic size_t taken, step = SIZE_MAX;
static atomic_bool is_reached;
static _Atomic uintptr_t heap_end; /* at the last look; 0: its pages are small */

/* What is not shared with files or other processes; 0 = unknown. */
static size_t ask_system(void) {
#ifdef __EMSCRIPTEN__ /* the end of the heap, which begins near 0 */
    return (size_t)sbrk(0);
#endif
    unsigned long resident, shared;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    bool is_read = fscanf(file, "%*s %lu %lu", &resident, &shared) == 2;
    fclose(file);
    return is_read && resident > shared ? (resident - shared) * (size_t)sysconf(_SC_PAGESIZE) : 0;
}

static size_t used(void) {
    size_t now = ask_system();
    return now > base ? now - base : 0;
}

/* A page that the system gives costs more than one that is cleared here. */
static void keep_freed(void) {
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, MOST_KEPT);
    mallopt(M_MMAP_THRESHOLD, LARGE_PIECE);
    mallopt(M_TOP_PAD, HEAP_STEP);
    atomic_store(&heap_end, (uintptr_t)sbrk(0) + SMALL_HEAP);
#endif
}

/* The heap may have shrunk since the last look. */
void memory_taken(void *memory, size_t bytes) {
    pages_ask(memory, bytes);
#ifdef __GLIBC__
    uintptr_t before = atomic_load_explicit(&heap_end, memory_order_relaxed);
    uintptr_t end = before ? (uintptr_t)sbrk(0) : 0;
    bool has_shrunk = end + SMALL_HEAP < before;
    if (end < before + HEAP_LEAST && !has_shrunk) return;
    if (!has_shrunk) pages_ask((void *)before, end - before);
    atomic_store_explicit(&heap_end, end, memory_order_relaxed);
#endif
}

void memory_limit(size_t bytes) {
    size_t part = resources_memory() / 10 * 9;
    if (!bytes) bytes = part ? part : SIZE_MAX;
    most = bytes < MEMORY_LEAST ? MEMORY_LEAST : bytes;
    base = ask_system();
    if (most / KEPT_PART >= MOST_KEPT) keep_freed();
    if (base && !IS_SANITIZED) atomic_store(&step, LEAST_STEP);
}

static void look(size_t bytes) {
    size_t now = used() + bytes, soft = most - most / SPARE_PART;
    if (now > most) {
        atomic_store(&is_reached, true);
        memory_is_over();
    }
    if (now > soft) interrupt_ask_for_memory();
    size_t next = ((now < soft ? soft : most) - now) / STEP_PART;
    atomic_store(&step, next > LEAST_STEP ? next : LEAST_STEP);
    atomic_store(&taken, 0);
}

void memory_take(size_t bytes) {
    size_t before = atomic_fetch_add_explicit(&taken, bytes, memory_order_relaxed);
    if (before + bytes >= atomic_load_explicit(&step, memory_order_relaxed)) look(bytes);
}

size_t memory_for_search(void) {
    size_t now = used(), part = most - most / SEARCH_PART;
    if (most == SIZE_MAX) part = resources_memory() / 10 * 8;
    return part > now ? part - now : 1;
}

bool memory_is_limited(void) { return atomic_load(&is_reached); }
