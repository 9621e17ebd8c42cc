#define _XOPEN_SOURCE 700

#include "xml/load.h"
#include "xml/splice.h"

#include <check.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Suite *xml_models_suite(void);

static int file_count, tree_count;

/* The next element of the tree in document order. */
static const struct element *after(const struct element *element) {
    if (element->first_child) return element->first_child;
    while (element && !element->next) element = element->parent;
    return element ? element->next : NULL;
}

static size_t middle_of(const struct text *text) {
    size_t at = text->content.size / 2;
    while (at && ((unsigned char)text->content.data[at] & 0xC0) == 0x80) at--;
    return at;
}

/* Whether a text is written into; a few of those that Uppaal reads. */
static bool is_changed(const struct element *element) {
    return !strcmp(element->name, "label") || !strcmp(element->name, "declaration");
}

static struct str edit_everything(const struct document *document, struct arena *arena) {
    struct splices splices;
    splices_init(&splices, document, arena);
    for (const struct element *element = document->root; element; element = after(element)) {
        if (!is_changed(element)) continue;
        position at = element->text.begin + (position)middle_of(&element->text);
        struct text_edit edit = {{at, at}, STR("< \303\251\n")};
        splice_edit_text(&splices, element, &edit, 1);
    }
    return splices_apply(&splices);
}

static void check_texts(const struct document *old, const struct document *new,
                        struct arena *arena) {
    const struct element *b = new->root;
    for (const struct element *a = old->root; a; a = after(a), b = after(b)) {
        ck_assert_ptr_nonnull(b);
        ck_assert_str_eq(a->name, b->name);
        size_t half = middle_of(&a->text);
        const char *expected = a->text.content.data;
        if (is_changed(a))
            expected =
                arena_printf(arena, "%.*s< \303\251\n%s", (int)half, expected, expected + half);
        ck_assert_str_eq(b->text.content.data, expected);
    }
    ck_assert_ptr_null(b);
}

/* What is read must be written to the byte, and read as meant after changes. */
static void check_file(const char *path) {
    struct arena arena;
    struct interner names;
    struct diag diag;
    struct document document, again;
    arena_init(&arena);
    interner_init(&names, &arena);
    diag_init(&diag, &arena, NULL);
    bool is_valid = document_load(&document, &arena, &names, path, &diag);
    file_count++;
    if (document.root) {
        struct splices splices;
        splices_init(&splices, &document, &arena);
        ck_assert_msg(str_equal(splices_apply(&splices), document.bytes), "%s differs", path);
    }
    if (is_valid) {
        tree_count++;
        struct str edited = edit_everything(&document, &arena);
        document_parse(&again, &arena, &names, path, edited, &diag);
        ck_assert_msg(again.root != NULL, "%s cannot be read after changes", path);
        check_texts(&document, &again, &arena);
    }
    arena_close(&arena);
}

static int on_file(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)place;
    size_t size = strlen(path);
    if (kind == FTW_F && size > 4 && !strcmp(path + size - 4, ".xml")) check_file(path);
    return 0;
}

static void check_folder(const char *path) {
    file_count = tree_count = 0;
    nftw(path, on_file, 16, FTW_PHYS); /* nothing is there when run from elsewhere */
}

START_TEST(models_of_the_project_survive) {
    check_folder("tests/models");
    ck_assert_int_eq(tree_count, file_count);
}
END_TEST

START_TEST(invalid_models_do_no_harm) { check_folder("tests/invalid"); }
END_TEST

START_TEST(models_of_others_survive) {
    const char *shared = getenv("VARABS_SHARED");
    char path[1000];
    snprintf(path, sizeof path, "%s/models", shared ? shared : "../shared");
    check_folder(path);
    ck_assert_int_eq(tree_count, file_count);
}
END_TEST

/* ---- loading ---- */

static struct arena arena;
static struct interner names;
static struct diag diag;
static struct document document;

static void setup(void) {
    arena_init(&arena);
    interner_init(&names, &arena);
    diag_init(&diag, &arena, NULL);
}

static void teardown(void) { arena_close(&arena); }

static bool load(const char *path) { return document_load(&document, &arena, &names, path, &diag); }

static void check_unreadable(const char *message) {
    ck_assert_int_eq(diag.status, STATUS_INVALID);
    ck_assert_uint_eq(diag.error_count, 1);
    ck_assert_ptr_nonnull(strstr(diag.items.items[0].message, message));
    ck_assert_ptr_eq(diag.source, &document.source);
}

START_TEST(missing_file_is_an_error) {
    ck_assert(!load("/nowhere/model.xml"));
    check_unreadable("No such file");
    ck_assert_str_eq(diag.source->name, "/nowhere/model.xml");
}
END_TEST

START_TEST(directory_is_an_error) {
    ck_assert(!load("/"));
    check_unreadable("directory");
}
END_TEST

START_TEST(empty_file_is_an_error) {
    ck_assert(!load("/dev/null"));
    check_unreadable("the file is empty");
}
END_TEST

/* A model larger than any buffer that is taken at first. */
static void write_large_model(FILE *file) {
    ck_assert_ptr_nonnull(file);
    fputs("<nta><declaration>", file);
    for (int i = 0; i < 300000; i++) fputc('x', file);
    fputs("</declaration><system/></nta>", file);
    ck_assert_int_eq(fclose(file), 0);
}

START_TEST(large_file_is_loaded) {
    char path[] = "/tmp/xml_test.XXXXXX";
    write_large_model(fdopen(mkstemp(path), "wb"));
    bool is_read = load(path);
    unlink(path);
    ck_assert(is_read);
    ck_assert_uint_eq(document.declaration->text.content.size, 300000);
}
END_TEST

START_TEST(standard_input_is_loaded) {
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    if (fork() == 0) {
        close(ends[0]);
        write_large_model(fdopen(ends[1], "wb"));
        _exit(0);
    }
    close(ends[1]);
    ck_assert_int_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    ck_assert(load("-"));
    ck_assert_uint_eq(document.declaration->text.content.size, 300000);
    ck_assert_str_eq(document.source.name, "<stdin>");
}
END_TEST

Suite *xml_models_suite(void) {
    Suite *suite = suite_create("xml_models");
    TCase *tests = tcase_create("files");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, models_of_the_project_survive);
    tcase_add_test(tests, invalid_models_do_no_harm);
    tcase_add_test(tests, models_of_others_survive);
    suite_add_tcase(suite, tests);
    TCase *files = tcase_create("loading");
    tcase_add_checked_fixture(files, setup, teardown);
    suite_add_tcase(suite, files);
    tcase_add_test(files, missing_file_is_an_error);
    tcase_add_test(files, directory_is_an_error);
    tcase_add_test(files, empty_file_is_an_error);
    tcase_add_test(files, large_file_is_loaded);
    tcase_add_test(files, standard_input_is_loaded);
    return suite;
}
