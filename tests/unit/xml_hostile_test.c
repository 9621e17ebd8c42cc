#include "xml/document.h"
#include "xml/load.h"

#include "xml_fixture.h"

#include <check.h>
#include <string.h>

Suite *xml_hostile_suite(void);

static void add_many(struct buffer *buffer, const char *text, int count) {
    for (int i = 0; i < count; i++) buffer_add_text(buffer, text);
}

static void check_refused(struct buffer *buffer, const char *message) {
    ck_assert(!parse_bytes(buffer->data, buffer->size));
    ck_assert_int_eq(diag.status, STATUS_INVALID);
    ck_assert_uint_gt(diag.items.count, 0);
    ck_assert_ptr_nonnull(strstr(diag.items.items[0].message, message));
    ck_assert_uint_lt(arena.used_size, 64 * 1024 * 1024);
    buffer_close(buffer);
}

START_TEST(deep_nesting_is_refused) {
    struct buffer buffer = {0};
    buffer_add_text(&buffer, "<nta>");
    add_many(&buffer, "<a>", 1000000);
    check_refused(&buffer, "nest too deeply");
}
END_TEST

START_TEST(deepest_nesting_is_read) {
    struct buffer buffer = {0};
    buffer_add_text(&buffer, "<nta>");
    add_many(&buffer, "<a>", DOCUMENT_MAX_DEPTH - 1);
    add_many(&buffer, "</a>", DOCUMENT_MAX_DEPTH - 1);
    buffer_add_text(&buffer, "<system/></nta>");
    ck_assert(parse_bytes(buffer.data, buffer.size));
    buffer_close(&buffer);
}
END_TEST

START_TEST(billion_laughs_are_refused) {
    struct buffer buffer = {0};
    buffer_add_text(&buffer, "<!DOCTYPE nta [<!ENTITY e0 'hahahahaha'>");
    for (int i = 1; i < 12; i++) {
        buffer_printf(&buffer, "<!ENTITY e%d '", i);
        for (int k = 0; k < 10; k++) buffer_printf(&buffer, "&e%d;", i - 1);
        buffer_add_text(&buffer, "'>");
    }
    buffer_add_text(&buffer, "]><nta><declaration>&e11;</declaration><system/></nta>");
    check_refused(&buffer, "entities expand");
}
END_TEST

START_TEST(quadratic_blowup_is_refused) {
    struct buffer buffer = {0};
    buffer_add_text(&buffer, "<!DOCTYPE nta [<!ENTITY e '");
    add_many(&buffer, "0123456789", 10000);
    buffer_add_text(&buffer, "'>]><nta><declaration>");
    add_many(&buffer, "&e;", 30000);
    buffer_add_text(&buffer, "</declaration><system/></nta>");
    check_refused(&buffer, "entities expand");
}
END_TEST

START_TEST(default_attributes_are_bounded) {
    struct buffer buffer = {0};
    buffer_add_text(&buffer, "<!DOCTYPE nta [<!ATTLIST template ");
    for (int i = 0; i < 10000; i++) buffer_printf(&buffer, "a%d CDATA '' ", i);
    buffer_add_text(&buffer, ">]><nta>");
    add_many(&buffer, "<template/>", 10000);
    buffer_add_text(&buffer, "<system/></nta>");
    check_refused(&buffer, "too many attribute declarations");
}
END_TEST

START_TEST(long_default_values_are_bounded) {
    struct buffer buffer = {0};
    buffer_add_text(&buffer, "<!DOCTYPE nta [<!ATTLIST template a CDATA '");
    add_many(&buffer, "0123456789", 10000);
    buffer_add_text(&buffer, "'>]><nta>");
    add_many(&buffer, "<template/>", 10000);
    buffer_add_text(&buffer, "<system/></nta>");
    check_refused(&buffer, "entities expand");
}
END_TEST

START_TEST(wide_documents_take_linear_time) {
    struct buffer buffer = {0};
    buffer_add_text(&buffer, "<nta><template><name>P</name>");
    for (int i = 0; i < 100000; i++) buffer_printf(&buffer, "<location id='l%d'/>", i);
    buffer_add_text(&buffer,
                    "<init ref='l0'/><transition><source ref='l1'/><target ref='l99999'/>");
    add_many(&buffer, "<label kind='guard'>x</label>", 100000);
    add_many(&buffer, "<nail/>", 100000);
    buffer_add_text(&buffer, "</transition></template><system ");
    for (int i = 0; i < 100000; i++) buffer_printf(&buffer, "a%d='' ", i);
    buffer_add_text(&buffer, "/></nta>");
    ck_assert(parse_bytes(buffer.data, buffer.size));
    ck_assert_uint_eq(document.templates[0].transitions[0].target, 99999);
    buffer_close(&buffer);
}
END_TEST

START_TEST(long_names_are_cut_in_messages) {
    struct buffer buffer = {0};
    buffer_add_text(&buffer, "<");
    add_many(&buffer, "\303\251", 100000);
    buffer_add_text(&buffer, "/>");
    ck_assert(!parse_bytes(buffer.data, buffer.size));
    ck_assert_uint_lt(strlen(diag.items.items[0].message), 200);
    buffer_close(&buffer);
}
END_TEST

Suite *xml_hostile_suite(void) {
    Suite *suite = suite_create("xml_hostile");
    TCase *hostile = tcase_create("hostile");
    tcase_add_checked_fixture(hostile, setup, teardown);
    tcase_set_timeout(hostile, 60);
    suite_add_tcase(suite, hostile);
    tcase_add_test(hostile, deep_nesting_is_refused);
    tcase_add_test(hostile, deepest_nesting_is_read);
    tcase_add_test(hostile, billion_laughs_are_refused);
    tcase_add_test(hostile, quadratic_blowup_is_refused);
    tcase_add_test(hostile, default_attributes_are_bounded);
    tcase_add_test(hostile, long_default_values_are_bounded);
    tcase_add_test(hostile, wide_documents_take_linear_time);
    tcase_add_test(hostile, long_names_are_cut_in_messages);
    return suite;
}
