#define _XOPEN_SOURCE 700

#include "xml/splice.h"

#include "xml_sample.h"

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

Suite *splice_suite(void);

static struct arena arena;
static struct interner names;
static struct diag diag;
static struct document document;
static struct splices splices;

static void setup(void) {
    arena_init(&arena);
    interner_init(&names, &arena);
    diag_init(&diag, &arena, NULL);
}

static void teardown(void) { arena_close(&arena); }

static void must_parse(struct document *into, struct str bytes) {
    bool is_read = document_parse(into, &arena, &names, "model.xml", bytes, &diag);
    if (!is_read) diag_print(&diag, stderr);
    ck_assert(is_read);
}

static void start(struct str bytes) {
    must_parse(&document, bytes);
    splices_init(&splices, &document, &arena);
}

static void start_text(const char *text) { start(str_of(text)); }

static void check_output(const char *expected) {
    struct str output = splices_apply(&splices);
    ck_assert_str_eq(output.data, expected);
    ck_assert_uint_eq(output.size, strlen(expected));
}

/* An edit of the characters [begin, end) of a text. */
static struct text_edit edit_of(const struct element *element, size_t begin, size_t end,
                                const char *text) {
    position first = element->text.begin;
    return (struct text_edit){{first + (position)begin, first + (position)end}, str_of(text)};
}

static void edit_declaration(size_t begin, size_t end, const char *text) {
    struct text_edit edit = edit_of(document.declaration, begin, end, text);
    splice_edit_text(&splices, document.declaration, &edit, 1);
}

/* ---- texts ---- */

static const struct {
    const char *before; /* of the global declaration, between the tags */
    size_t begin, end;
    const char *text;
    const char *after;
} edits[] = {
    {"int a;", 4, 5, "b", "int b;"},
    {"int a;", 0, 0, "x", "xint a;"},
    {"int a;", 6, 6, "x", "int a;x"},
    {"a &lt; b &amp;&amp; c", 4, 5, "d", "a &lt; d &amp;&amp; c"},
    {"a &lt; b &amp;&amp; c", 2, 3, ">", "a &gt; b &amp;&amp; c"},
    {"a &#60; b", 2, 3, "<=", "a &lt;= b"},
    {"a > b", 4, 5, "c && d", "a > c &amp;&amp; d"},
    {"a\nb", 1, 1, "\nc", "a\nc\nb"},
    {"a", 1, 1, "\303\251\342\202\254\360\235\204\236", "a&#xE9;&#x20AC;&#x1D11E;"},
    {"a", 1, 1, "\377\001", "a&#xFFFD;&#xFFFD;"},
    {"a", 1, 1, "\r\n", "a&#13;\n"},
    {"\303\251b", 2, 3, "c", "\303\251c"},
    {"a<![CDATA[ < ]]>b", 0, 1, "c", "c &lt; b"},
    {"a<!-- c --> b", 0, 1, "c", "c<!-- c --> b"},
    {"a<!-- c --> b", 1, 1, "c", "ac<!-- c --> b"},
    {"<![CDATA[a]]><!-- c -->", 1, 1, "c", "ac<!-- c -->"},
    {"<!-- c -->", 0, 0, "c", "c<!-- c -->"},
    {"]x]>", 1, 2, "", "]]&gt;"},
    {"]]x>", 2, 3, "", "]]&gt;"},
    {"x>", 0, 1, "]]", "]]&gt;"},
    {"x]>", 0, 1, "]", "]]&gt;"},
    {"x>", 0, 1, "]y", "]y>"},
    {"\rx\n", 1, 2, "", "\n\n"},
    {"\r", 1, 1, "\n", "\n\n"},
    {"", 0, 0, "a", "a"},
    {" ", 0, 1, "", ""},
};

START_TEST(text_edits_change_what_they_must) {
    char *text =
        arena_printf(&arena, "<nta><declaration>%s</declaration><system/></nta>", edits[_i].before);
    start_text(text);
    edit_declaration(edits[_i].begin, edits[_i].end, edits[_i].text);
    check_output(
        arena_printf(&arena, "<nta><declaration>%s</declaration><system/></nta>", edits[_i].after));
}
END_TEST

START_TEST(several_edits_apply_together) {
    start_text("<nta><declaration>a &lt; b, c</declaration><system/></nta>");
    struct text_edit list[] = {
        edit_of(document.declaration, 0, 1, "xx"), edit_of(document.declaration, 1, 1, "1"),
        edit_of(document.declaration, 1, 1, "2"), edit_of(document.declaration, 2, 3, ""),
        edit_of(document.declaration, 7, 8, "y")};
    splice_edit_text(&splices, document.declaration, list, 5);
    check_output("<nta><declaration>xx12  b, y</declaration><system/></nta>");
}
END_TEST

START_TEST(empty_tags_get_a_content) {
    start_text("<nta><declaration x=\"1\" /><system/></nta>");
    edit_declaration(0, 0, "a < \303\251");
    splice_set_text(&splices, document.system, STR("system P;"));
    check_output("<nta><declaration x=\"1\" >a &lt; &#xE9;</declaration>"
                 "<system>system P;</system></nta>");
}
END_TEST

START_TEST(no_text_leaves_an_empty_tag) {
    start_text("<nta><declaration/><system/></nta>");
    splice_set_text(&splices, document.declaration, STR(""));
    check_output("<nta><declaration/><system/></nta>");
}
END_TEST

START_TEST(set_text_replaces_everything) {
    start_text("<nta><declaration>a<!-- b -->c</declaration><system/></nta>");
    splice_set_text(&splices, document.declaration, STR("d > e"));
    check_output("<nta><declaration>d &gt; e</declaration><system/></nta>");
}
END_TEST

START_TEST(line_ends_follow_the_file) {
    start_text("<nta>\r\n<declaration>a</declaration>\r\n<system/></nta>");
    edit_declaration(1, 1, "\nb\n");
    splice_markup(&splices, document.system->begin, document.system->begin, STR("\r\n\n"));
    check_output("<nta>\r\n<declaration>a\r\nb\r\n</declaration>\r\n\r\n\r\n<system/></nta>");
}
END_TEST

/* ---- elements ---- */

static const struct {
    const char *before, *after; /* around the element <declaration/> of the document */
    const char *left;           /* what is left of them */
} removals[] = {
    {"<nta>\n  ", "\n  <system/></nta>", "<nta>\n  <system/></nta>"},
    {"<nta>\r\n\t", " \t\r\n<system/></nta>", "<nta>\r\n<system/></nta>"},
    {"<nta>\r  ", "\r<system/></nta>", "<nta>\r<system/></nta>"},
    {"<nta>  ", "\n<system/></nta>", "<nta>\n<system/></nta>"},
    {"<nta>\n  ", "  <system/></nta>", "<nta>\n  <system/></nta>"},
    {"<nta>", "<system/></nta>", "<nta><system/></nta>"},
    {"<nta>\n\n", "\n\n<system/></nta>", "<nta>\n\n\n<system/></nta>"},
};

START_TEST(elements_go_with_their_line) {
    start_text(arena_printf(&arena, "%s<declaration>x</declaration>%s", removals[_i].before,
                            removals[_i].after));
    splice_remove_element(&splices, document.declaration);
    check_output(removals[_i].left);
}
END_TEST

START_TEST(removed_element_can_have_new_neighbours) {
    start_text("<nta>\n  <declaration>x</declaration>\n  <system/>\n</nta>");
    size_t begin = document.declaration->begin, end = document.declaration->end;
    splice_markup(&splices, end, end, STR("<!--2-->"));
    splice_remove_element(&splices, document.declaration);
    splice_markup(&splices, begin, begin, STR("<!--1-->"));
    check_output("<nta>\n<!--1--><!--2-->  <system/>\n</nta>");
}
END_TEST

START_TEST(all_children_can_be_removed) {
    start_text("<nta><system/>\n<queries>\n  <query/>\n  <query/><query/>\n</queries></nta>");
    for (uint32_t i = 0; i < document.query_count; i++)
        splice_remove_element(&splices, document.query_list[i].element);
    check_output("<nta><system/>\n<queries>\n\n</queries></nta>");
}
END_TEST

START_TEST(insertions_keep_their_order) {
    start_text("<nta><system/></nta>");
    size_t at = document.system->begin;
    splice_markup(&splices, at + 9, at + 9, STR("3"));
    splice_markup(&splices, at, at, STR("1"));
    splice_markup(&splices, at, at, STR("2"));
    check_output("<nta>12<system/>3</nta>");
}
END_TEST

/* ---- encodings ---- */

/* Random edits of the declaration of a random document; the list and how many. */
static uint32_t random_edits(struct sample *sample, const struct text *text, struct text_edit *list,
                             uint32_t most) {
    static const char *const texts[] = {"",   "x",   "a < b && c",   "\303\251", "]",  ">",
                                        "\n", "]]>", "\342\202\254", "\r",       "]]", "<![CDATA["};
    uint32_t count = sample_random(sample, most + 1);
    position at = text->begin, end = text->begin + (position)text->content.size;
    for (uint32_t i = 0; i < count; i++) {
        struct span span;
        for (int k = 0; k < 2; k++) {
            at += sample_random(sample, 6);
            if (at > end) at = end;
            while (at < end && ((unsigned char)text->content.data[at - text->begin] & 0xC0) == 0x80)
                at++;
            if (k == 0) span.begin = at;
        }
        span.end = at;
        list[i] = (struct text_edit){
            span, str_of(texts[sample_random(sample, sizeof texts / sizeof texts[0])])};
    }
    return count;
}

static struct str apply_to_text(const struct text *text, const struct text_edit *list,
                                uint32_t count) {
    struct buffer buffer = {0};
    size_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        size_t begin = list[i].span.begin - text->begin;
        buffer_add(&buffer, text->content.data + at, begin - at);
        buffer_add(&buffer, list[i].text.data, list[i].text.size);
        at = list[i].span.end - text->begin;
    }
    buffer_add(&buffer, text->content.data + at, text->content.size - at);
    struct str result = {NULL, buffer.size};
    result.data = buffer_take(&buffer, &arena);
    buffer_close(&buffer);
    return result;
}

static void check_bytes(struct str output, size_t begin, const char *expected, size_t size) {
    ck_assert_uint_le(begin + size, output.size);
    ck_assert_int_eq(memcmp(output.data + begin, expected, size), 0);
}

START_TEST(edited_documents_read_as_meant) {
    for (uint32_t seed = 0; seed < 1000; seed++) {
        struct sample sample;
        sample_make(&sample, (enum form)(_i % FORM_COUNT), seed);
        struct str input = {sample.bytes.data, sample.bytes.size};
        start(input);
        const struct element *element = document.declaration;
        struct text_edit list[4];
        uint32_t count = random_edits(&sample, &element->text, list, 4);
        struct str expected = apply_to_text(&element->text, list, count);
        splice_edit_text(&splices, element, list, count);
        struct str output = splices_apply(&splices);
        check_bytes(output, 0, input.data, element->content_begin);
        size_t rest = input.size - element->content_end;
        check_bytes(output, output.size - rest, input.data + element->content_end, rest);
        if (count == 0) ck_assert(str_equal(output, input));
        struct document again;
        must_parse(&again, output);
        ck_assert(str_equal(again.declaration->text.content, expected));
        ck_assert_str_eq(again.system->text.content.data, "system P;");
        sample_free(&sample);
        teardown();
        setup();
    }
}
END_TEST

START_TEST(plain_text_keeps_its_other_bytes) {
    start_text("<nta><declaration>&#97; > &quot;b&quot; &#x3C; c\r\n</declaration><system/></nta>");
    edit_declaration(10, 11, "z");
    check_output(
        "<nta><declaration>&#97; > &quot;b&quot; &#x3C; z\r\n</declaration><system/></nta>");
}
END_TEST

START_TEST(escape_covers_markup) {
    struct str escaped = xml_escape(&arena, STR("a<b>c&d\"e'f\n\rg"));
    ck_assert_str_eq(escaped.data, "a&lt;b&gt;c&amp;d\"e'f\n&#13;g");
    ck_assert_uint_eq(escaped.size, strlen(escaped.data));
}
END_TEST

/* ---- files ---- */

static char folder[64], *path;

static void setup_folder(void) {
    setup();
    strcpy(folder, "/tmp/splice_test.XXXXXX");
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

static void teardown_folder(void) {
    if (access(folder, F_OK) == 0) empty_folder();
    teardown();
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

START_TEST(links_stay_links) {
    char *link = arena_printf(&arena, "%s/link.xml", folder);
    ck_assert(file_write(path, STR("old"), &diag));
    ck_assert_int_eq(symlink("out.xml", link), 0);
    ck_assert(file_is_same(path, link));
    ck_assert(file_write(link, STR("new"), &diag));
    ck_assert(str_is(read_back(path), "new"));
    ck_assert(file_is_same(path, link));
    ck_assert_int_eq(empty_folder(), 2);
}
END_TEST

START_TEST(files_are_told_apart) {
    char *other = arena_printf(&arena, "%s/other.xml", folder);
    ck_assert(file_write(path, STR("x"), &diag) && file_write(other, STR("x"), &diag));
    ck_assert(!file_is_same(path, other));
    ck_assert(file_is_same(path, arena_printf(&arena, "%s/./out.xml", folder)));
    ck_assert(!file_is_same(path, arena_printf(&arena, "%s/none", folder)));
    ck_assert(!file_is_same("/nowhere/at/all", "/nowhere/at/all"));
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

START_TEST(full_device_is_an_error) {
    if (access("/dev/full", W_OK) != 0) return;
    ck_assert(!file_write("/dev/full", STR("x"), &diag));
    check_failure(strerror(ENOSPC));
    struct stat status;
    ck_assert(stat("/dev/full", &status) == 0 && S_ISCHR(status.st_mode));
}
END_TEST

START_TEST(devices_are_not_replaced) {
    ck_assert(file_write("/dev/null", STR("x"), &diag));
    struct stat status;
    ck_assert(stat("/dev/null", &status) == 0 && S_ISCHR(status.st_mode));
}
END_TEST

/* What a child that cannot write more than a few bytes to a file exits with. */
static int run_limited(void) {
    struct rlimit limit = {1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    char *bytes = arena_alloc(&arena, 100000);
    bool is_written = file_write(path, (struct str){bytes, 100000}, &diag);
    return !is_written && diag.status == STATUS_USAGE ? 7 : 1;
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
        _exit(!file_write("-", STR("text"), &diag) && diag.status == STATUS_USAGE ? 7 : 1);
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

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

static void add_file_tests(Suite *suite) {
    TCase *tests = tcase_create("files");
    tcase_add_checked_fixture(tests, setup_folder, teardown_folder);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, new_files_respect_the_mask);
    tcase_add_test(tests, existing_files_keep_their_mode);
    tcase_add_test(tests, links_stay_links);
    tcase_add_test(tests, files_are_told_apart);
    tcase_add_test(tests, missing_folder_is_an_error);
    tcase_add_test(tests, directory_is_an_error);
    tcase_add_test(tests, full_device_is_an_error);
    tcase_add_test(tests, devices_are_not_replaced);
    tcase_add_test(tests, failed_write_leaves_the_old_file);
    tcase_add_test(tests, standard_output_is_written);
    tcase_add_test(tests, full_standard_output_is_an_error);
    tcase_add_test(tests, signals_leave_no_temporary_file);
    tcase_add_test(tests, signal_actions_are_restored);
    tcase_add_test(tests, long_names_can_be_written);
}

Suite *splice_suite(void) {
    Suite *suite = suite_create("splice");
    TCase *tests = tcase_create("edits");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    tcase_add_loop_test(tests, text_edits_change_what_they_must, 0, COUNT(edits));
    tcase_add_test(tests, several_edits_apply_together);
    tcase_add_test(tests, empty_tags_get_a_content);
    tcase_add_test(tests, no_text_leaves_an_empty_tag);
    tcase_add_test(tests, set_text_replaces_everything);
    tcase_add_test(tests, line_ends_follow_the_file);
    tcase_add_loop_test(tests, elements_go_with_their_line, 0, COUNT(removals));
    tcase_add_test(tests, removed_element_can_have_new_neighbours);
    tcase_add_test(tests, all_children_can_be_removed);
    tcase_add_test(tests, insertions_keep_their_order);
    tcase_add_loop_test(tests, edited_documents_read_as_meant, 0, FORM_COUNT);
    tcase_add_test(tests, plain_text_keeps_its_other_bytes);
    tcase_add_test(tests, escape_covers_markup);
    add_file_tests(suite);
    return suite;
}
