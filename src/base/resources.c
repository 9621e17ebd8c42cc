#define _DEFAULT_SOURCE

#include "base/resources.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __EMSCRIPTEN__
#include <emscripten/heap.h>
#endif

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

/* The files of one version of control groups. */
struct version {
    const char *limit, *used, *files; /* files: the row of memory.stat that can be given back */
};
static const struct version version_1 = {"memory.limit_in_bytes", "memory.usage_in_bytes",
                                         "total_inactive_file"};
static const struct version version_2 = {"memory.max", "memory.current", "inactive_file"};

static unsigned long long read_files(const char *folder, const char *row) {
    char path[PATH_SIZE + 64], name[64];
    unsigned long long bytes = 0, value;
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    while (fscanf(file, "%63s %llu", name, &value) == 2)
        if (!strcmp(name, row)) bytes = value;
    fclose(file);
    return bytes;
}

static void ask_group(size_t *least, const char *folder, const struct version *version) {
    unsigned long long limit, used;
    if (!read_number(folder, version->limit, &limit) || !read_number(folder, version->used, &used))
        return;
    unsigned long long files = read_files(folder, version->files);
    used -= files < used ? files : used;
    lower(least, limit > used ? (size_t)(limit - used) : 1);
}

/* Whether a list like cpu,memory has memory. */
static bool has_memory(const char *controllers) {
    const char *at = strstr(controllers, "memory");
    return at && (at == controllers || at[-1] == ',') && (!at[6] || at[6] == ',');
}

size_t resources_group_memory(const char *list, const char *root) {
    size_t least = 0;
    char line[PATH_SIZE / 2], folder[PATH_SIZE];
    FILE *file = fopen(list, "r");
    if (!file) return 0;
    while (fgets(line, sizeof line, file)) { /* number:controllers:/group */
        line[strcspn(line, "\n")] = 0;
        char *controllers = strchr(line, ':');
        char *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group || group[1] != '/') continue;
        *group++ = 0;
        bool is_second = !*++controllers;
        if (!is_second && !has_memory(controllers)) continue;
        int base = snprintf(folder, sizeof folder, "%s%s", root, is_second ? "" : "/memory");
        snprintf(folder + base, sizeof folder - (size_t)base, "%s", group);
        while (strlen(folder) >= (size_t)base) {
            ask_group(&least, folder, is_second ? &version_2 : &version_1);
            *strrchr(folder, '/') = 0;
        }
    }
    fclose(file);
    return least;
}

size_t resources_memory(void) {
    size_t least = 0;
    struct rlimit limit;
#ifdef __EMSCRIPTEN__ /* one piece of memory, which grows to a size that is set when it is linked */
    lower(&least, emscripten_get_heap_max() - emscripten_get_heap_size());
#endif
    ask_meminfo(&least);
    size_t group = resources_group_memory("/proc/self/cgroup", "/sys/fs/cgroup");
    if (group) lower(&least, group);
    if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY)
        lower(&least, (size_t)limit.rlim_cur);
    return least;
}

uint32_t resources_processors(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 1 ? (uint32_t)count : 1;
}
