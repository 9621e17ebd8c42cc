#define _XOPEN_SOURCE 700 /* mkdtemp, nftw */

#include "base/resources.h"

#include "base/interrupt.h"

#include <check.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

Suite *resources_suite(void);

static char folder[] = "/tmp/varabs.XXXXXX";

static const char *within(const char *name) {
    static char paths[2][200];
    static int turn;
    char *path = paths[turn = !turn];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *text) {
    FILE *file = fopen(within(name), "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert(!fclose(file));
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)kind, (void)place;
    return remove(path);
}

static void begin(void) {
    snprintf(folder, sizeof folder, "/tmp/varabs.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void end(void) { nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS); }

static size_t left(void) { return resources_group_memory(within("list"), folder); }

START_TEST(groups_of_the_first_version) {
    mkdir(within("memory"), 0700);
    mkdir(within("memory/batch"), 0700);
    mkdir(within("memory/batch/job"), 0700);
    put("list", "5:cpu,cpuacct:/other\n4:hugetlb,memory:/batch/job\n0::/\n");
    ck_assert_uint_eq(left(), 0);
    put("memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("memory/memory.usage_in_bytes", "5000\n");
    put("memory/batch/job/memory.limit_in_bytes", "3000\n");
    put("memory/batch/job/memory.usage_in_bytes", "500\n");
    ck_assert_uint_eq(left(), 2500);
    put("memory/batch/memory.limit_in_bytes", "4000\n");
    put("memory/batch/memory.usage_in_bytes", "2000\n");
    ck_assert_uint_eq(left(), 2000);
    put("memory/batch/memory.stat", "inactive_file 7\ntotal_inactive_file 300\n");
    ck_assert_uint_eq(left(), 2300); /* files that are cached go first */
    put("memory/batch/memory.usage_in_bytes", "4400\n");
    ck_assert_uint_eq(left(), 1); /* nothing, which is not the same as no limit */
}
END_TEST

START_TEST(groups_of_the_second_version) {
    mkdir(within("slice"), 0700);
    put("list", "0::/slice/gone\n");
    put("slice/memory.max", "max\n");
    put("slice/memory.current", "700\n");
    ck_assert_uint_eq(left(), 0);
    put("slice/memory.max", "1000\n");
    put("slice/memory.stat", "anon 1\ninactive_file 100\n");
    ck_assert_uint_eq(left(), 400);
    put("list", "1:name=memory:/slice\n3:memoryless:/slice\nno line\n");
    ck_assert_uint_eq(left(), 0);
}
END_TEST

/* Bits of what went wrong. */
static int withdraw(void) {
    int wrong = 0;
    interrupt_ask_for_memory();
    wrong |= !interrupt_is_asked() || !interrupt_is_for_memory() ? 1 : 0;
    interrupt_withdraw_memory();
    wrong |= interrupt_is_asked() || interrupt_is_for_memory() ? 2 : 0;
    interrupt_ask_for_memory();
    interrupt_ask();
    interrupt_withdraw_memory();
    wrong |= !interrupt_is_asked() || interrupt_is_for_memory() ? 4 : 0;
    return wrong;
}

START_TEST(signals_stay_where_memory_is_withdrawn) {
    int status;
    pid_t child = fork(); /* other tests are not to be interrupted */
    if (!child) _exit(withdraw());
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 0);
}
END_TEST

Suite *resources_suite(void) {
    Suite *suite = suite_create("resources");
    TCase *tests = tcase_create("groups");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, groups_of_the_first_version);
    tcase_add_test(tests, groups_of_the_second_version);
    tcase_add_test(tests, signals_stay_where_memory_is_withdrawn);
    suite_add_tcase(suite, tests);
    return suite;
}
