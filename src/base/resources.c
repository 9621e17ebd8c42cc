/* See resources.h. */
#define _DEFAULT_SOURCE

#include "base/resources.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

static void lower(size_t *least, size_t bytes) {
    if (!*least || bytes < *least) *least = bytes ? bytes : 1;
}

static void ask_meminfo(size_t *least) {
    char line[128];
    unsigned long long kilobytes;
    FILE *file = fopen("/proc/meminfo", "r");
    if (!file) return;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1)
            lower(least, (size_t)kilobytes * 1024);
    fclose(file);
}

/* A number in a file of its own; false if there is none ("max"). */
static bool read_number(const char *folder, const char *name, unsigned long long *number) {
    char path[PATH_SIZE + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file) return false;
    bool is_read = fscanf(file, "%llu", number) == 1;
    fclose(file);
    return is_read;
}

static void ask_group(size_t *least, const char *folder, const char *limit_name,
                      const char *used_name) {
    unsigned long long limit, used;
    if (!read_number(folder, limit_name, &limit) || !read_number(folder, used_name, &used)) return;
    lower(least, limit > used ? (size_t)(limit - used) : 1);
}

/* The group we are in and those around it, in control groups of version 2. */
static void ask_groups(size_t *least) {
    static const char root[] = "/sys/fs/cgroup";
    char line[PATH_SIZE - sizeof root], folder[PATH_SIZE];
    FILE *file = fopen("/proc/self/cgroup", "r");
    if (!file) return;
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "0::/", 4) != 0) continue;
        line[strcspn(line, "\n")] = 0;
        snprintf(folder, sizeof folder, "%s%s", root, line + 3);
        while (strlen(folder) >= sizeof root - 1) {
            ask_group(least, folder, "memory.max", "memory.current");
            *strrchr(folder, '/') = 0;
        }
    }
    fclose(file);
    ask_group(least, "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes");
}

size_t resources_memory(void) {
    size_t least = 0;
    struct rlimit limit;
    ask_meminfo(&least);
    ask_groups(&least);
    if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY)
        lower(&least, (size_t)limit.rlim_cur);
    return least;
}

uint32_t resources_processors(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 1 ? (uint32_t)count : 1;
}
