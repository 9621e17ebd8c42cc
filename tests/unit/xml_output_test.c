#define _XOPEN_SOURCE 700

#include "xml/output.h"
#include "xml/splice.h"

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

Suite *xml_output_suite(void);

static struct arena arena;
static struct diag diag;
static char folder[64], *path;

static void setup(void) {
    arena_init(&arena);
    diag_init(&diag, &arena, NULL);
    strcpy(folder, "/tmp/varabs_test.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    path = arena_printf(&arena, "%s/out.xml", folder);
}

/* Removes the folder and tells how many files it held. */
static int empty_folder(void) {
    DIR *directory = opendir(folder);
    ck_assert_ptr_nonnull(directory);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.' && strlen(entry->d_name) <= 2) continue;
        unlink(arena_printf(&arena, "%s/%s", folder, entry->d_name));
        count++;
    }
    closedir(directory);
    rmdir(folder);
    return count;
}

static void teardown(void) {
    if (access(folder, F_OK) == 0) empty_folder();
    arena_close(&arena);
}

static struct str read_back(const char *name) {
    FILE *file = fopen(name, "rb");
    ck_assert_ptr_nonnull(file);
    char *bytes = arena_alloc(&arena, 1000);
    struct str result = {bytes, fread(bytes, 1, 999, file)};
    fclose(file);
    return result;
}

static mode_t mode_of(const char *name) {
    struct stat status;
    ck_assert_int_eq(stat(name, &status), 0);
    return status.st_mode & 07777;
}

START_TEST(new_files_respect_the_mask) {
    mode_t mask = umask(027);
    ck_assert(file_write(path, STR("text"), &diag));
    umask(mask);
    ck_assert(str_is(read_back(path), "text"));
    ck_assert_uint_eq(mode_of(path), 0640);
    ck_assert_int_eq(empty_folder(), 1);
}
END_TEST

START_TEST(existing_files_keep_their_mode) {
    ck_assert(file_write(path, STR("a longer text"), &diag));
    ck_assert_int_eq(chmod(path, 0604), 0);
    ck_assert(file_write(path, STR("text"), &diag));
    ck_assert(str_is(read_back(path), "text"));
    ck_assert_uint_eq(mode_of(path), 0604);
    ck_assert_int_eq(empty_folder(), 1);
}
END_TEST

static bool is_same(const char *left, const char *right) {
    struct file_place one, other;
    return file_place_of(&one, left, &arena) && file_place_of(&other, right, &arena) &&
           !file_place_compare(&one, &other);
}

START_TEST(links_stay_links) {
    char *link = arena_printf(&arena, "%s/link.xml", folder);
    ck_assert(file_write(path, STR("old"), &diag));
    ck_assert_int_eq(symlink("out.xml", link), 0);
    ck_assert(is_same(path, link));
    ck_assert(file_write(link, STR("new"), &diag));
    ck_assert(str_is(read_back(path), "new"));
    ck_assert(is_same(path, link));
    ck_assert_int_eq(empty_folder(), 2);
}
END_TEST

START_TEST(links_to_nothing_stay_links) {
    char *link = arena_printf(&arena, "%s/link.xml", folder);
    char *first = arena_printf(&arena, "%s/first.xml", folder);
    ck_assert_int_eq(symlink("out.xml", link), 0);
    ck_assert_int_eq(symlink(link, first), 0);
    ck_assert(is_same(path, first) && is_same(link, first));
    ck_assert(!is_same(first, arena_printf(&arena, "%s/none", folder)));
    ck_assert(file_can_write(first, &diag) && file_write(first, STR("new"), &diag));
    ck_assert(str_is(read_back(path), "new"));
    ck_assert_int_eq(unlink(link), 0);
    ck_assert_int_eq(symlink("none/out.xml", link), 0);
    ck_assert(!file_can_write(first, &diag));
    ck_assert(!file_write(first, STR("new"), &diag));
    ck_assert_int_eq(unlink(link), 0);
    ck_assert_int_eq(symlink(first, link), 0); /* a circle */
    ck_assert(!file_can_write(first, &diag));
    ck_assert(!file_write(first, STR("new"), &diag));
    ck_assert_int_eq(empty_folder(), 3);
}
END_TEST

START_TEST(files_are_told_apart) {
    char *other = arena_printf(&arena, "%s/other.xml", folder);
    ck_assert(file_write(path, STR("x"), &diag) && file_write(other, STR("x"), &diag));
    ck_assert(!is_same(path, other));
    ck_assert(is_same(path, arena_printf(&arena, "%s/./out.xml", folder)));
    ck_assert(!is_same(path, arena_printf(&arena, "%s/none", folder)));
    ck_assert(!is_same("/nowhere/at/all", "/nowhere/at/all"));
    char *none = arena_printf(&arena, "%s/none", folder);
    char *link = arena_printf(&arena, "%s/link.xml", folder);
    ck_assert(
        is_same(none, arena_printf(&arena, "%s/../%s/none", folder, strrchr(folder, '/') + 1)));
    ck_assert_int_eq(symlink("none", link), 0);
    ck_assert(is_same(none, link));
    ck_assert(!is_same(path, link));
}
END_TEST

static void check_failure(const char *reason) {
    ck_assert_int_eq(diag.status, STATUS_USAGE);
    ck_assert_uint_eq(diag.error_count, 1);
    ck_assert_ptr_nonnull(strstr(diag.items.items[0].message, reason));
}

START_TEST(missing_folder_is_an_error) {
    ck_assert(!file_write(arena_printf(&arena, "%s/none/x", folder), STR("x"), &diag));
    check_failure(strerror(ENOENT));
}
END_TEST

START_TEST(directory_is_an_error) {
    ck_assert(!file_write(folder, STR("x"), &diag));
    check_failure(strerror(EISDIR));
    ck_assert_int_eq(empty_folder(), 0);
}
END_TEST

/* A child that reads a few bytes from a pipe with a name; it must not be replaced by a file. */
static pid_t start_reader(size_t most) {
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    pid_t child = fork();
    if (child != 0) return child;
    FILE *file = fopen(path, "rb");
    char bytes[16];
    _exit(file && fread(bytes, 1, most, file) == most ? 7 : 1);
}

static void check_reader(pid_t child) {
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(WEXITSTATUS(status), 7);
    struct stat is;
    ck_assert(stat(path, &is) == 0 && S_ISFIFO(is.st_mode));
    ck_assert_int_eq(empty_folder(), 1);
}

START_TEST(pipes_are_written_and_not_replaced) {
    pid_t child = start_reader(4);
    ck_assert(file_write(path, STR("text"), &diag));
    check_reader(child);
}
END_TEST

START_TEST(broken_pipe_is_an_error) {
    signal(SIGPIPE, SIG_IGN);
    pid_t child = start_reader(1);
    size_t size = 4000000;
    ck_assert(!file_write(path, (struct str){arena_alloc(&arena, size), size}, &diag));
    signal(SIGPIPE, SIG_DFL);
    check_failure(strerror(EPIPE));
    check_reader(child);
}
END_TEST

/* What a child that cannot write more than a few bytes to a file exits with. */
static int run_limited(void) {
    struct rlimit limit = {1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    char *bytes = arena_alloc(&arena, 100000);
    bool is_written = file_write(path, (struct str){bytes, 100000}, &diag);
    return !is_written && diag.status == STATUS_LIMIT ? 7 : 1;
}

START_TEST(failed_write_leaves_the_old_file) {
    ck_assert(file_write(path, STR("old"), &diag));
    pid_t child = fork();
    if (child == 0) _exit(run_limited());
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 7);
    ck_assert(str_is(read_back(path), "old"));
    ck_assert_int_eq(empty_folder(), 1);
}
END_TEST

START_TEST(standard_output_is_written) {
    pid_t child = fork();
    if (child == 0) {
        if (!freopen(path, "wb", stdout)) _exit(1);
        _exit(file_write("-", STR("text"), &diag) ? 0 : 1);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert(str_is(read_back(path), "text"));
}
END_TEST

START_TEST(full_standard_output_is_an_error) {
    if (access("/dev/full", W_OK) != 0) return;
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/full", "wb", stdout)) _exit(1);
        _exit(!file_write("-", STR("text"), &diag) && diag.status == STATUS_LIMIT ? 7 : 1);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(WEXITSTATUS(status), 7);
}
END_TEST

/* A child writes again and again until a signal comes. */
START_TEST(signals_leave_no_temporary_file) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (int k = 0; k < 4; k++) signal(numbers[k], SIG_DFL);
    for (int i = 0; i < 40; i++) {
        pid_t child = fork();
        if (child == 0) {
            setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
            char *bytes = arena_alloc(&arena, 4000000);
            for (;;) file_write(path, (struct str){bytes, 4000000}, &diag);
        }
        struct timespec pause = {0, 3000000 + i * 137000};
        nanosleep(&pause, NULL);
        ck_assert_int_eq(kill(child, numbers[i % 4]), 0);
        int status = 0;
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert(WIFSIGNALED(status));
        ck_assert_int_eq(WTERMSIG(status), numbers[i % 4]);
    }
    ck_assert_int_le(empty_folder(), 1);
}
END_TEST

START_TEST(signal_actions_are_restored) {
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_DFL);
    ck_assert(file_write(path, STR("x"), &diag));
    struct sigaction after;
    sigaction(SIGHUP, NULL, &after);
    ck_assert(after.sa_handler == SIG_IGN);
    sigaction(SIGINT, NULL, &after);
    ck_assert(after.sa_handler == SIG_DFL);
    sigaction(SIGXFSZ, NULL, &after);
    ck_assert(after.sa_handler == SIG_DFL);
}
END_TEST

START_TEST(long_names_can_be_written) {
    char name[256];
    memset(name, 'n', 255);
    name[255] = 0;
    ck_assert(file_write(arena_printf(&arena, "%s/%s", folder, name), STR("x"), &diag));
    ck_assert_int_eq(empty_folder(), 1);
}
END_TEST

Suite *xml_output_suite(void) {
    Suite *suite = suite_create("xml_output");
    TCase *tests = tcase_create("files");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, new_files_respect_the_mask);
    tcase_add_test(tests, existing_files_keep_their_mode);
    tcase_add_test(tests, links_stay_links);
    tcase_add_test(tests, links_to_nothing_stay_links);
    tcase_add_test(tests, files_are_told_apart);
    tcase_add_test(tests, missing_folder_is_an_error);
    tcase_add_test(tests, directory_is_an_error);
    tcase_add_test(tests, pipes_are_written_and_not_replaced);
    tcase_add_test(tests, broken_pipe_is_an_error);
    tcase_add_test(tests, failed_write_leaves_the_old_file);
    tcase_add_test(tests, standard_output_is_written);
    tcase_add_test(tests, full_standard_output_is_an_error);
    tcase_add_test(tests, signals_leave_no_temporary_file);
    tcase_add_test(tests, signal_actions_are_restored);
    tcase_add_test(tests, long_names_can_be_written);
    return suite;
}
