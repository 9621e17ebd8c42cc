/* Objects in a stream, wherever it is cut, and what their members and strings say. */
#include "engine/capture.h"
#include "engine/conversation.h"
#include "engine/example.h"
#include "engine/object.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

Suite *engine_suite(void);

/* All objects of a stream that comes in two parts, each with a blank behind it. */
static void objects_of(const char *stream, size_t size, size_t cut, char *found) {
    struct object_capture capture = {.most = 1000};
    struct str parts[] = {{stream, cut}, {stream + cut, size - cut}};
    *found = 0;
    for (int i = 0; i < 2; i++)
        while (parts[i].size) {
            bool is_whole;
            size_t read = capture_feed(&capture, parts[i], &is_whole);
            parts[i] = (struct str){parts[i].data + read, parts[i].size - read};
            struct str object = capture_object(&capture);
            if (is_whole) sprintf(found + strlen(found), "%.*s ", (int)object.size, object.data);
        }
    capture_close(&capture);
}

START_TEST(objects_are_found_wherever_the_stream_is_cut) {
    static const struct {
        const char *stream, *objects;
    } cases[] = {
        {"", ""},
        {"x\n {} y", "{} "},
        {"{}{\"a\":{\"b\":[{}]}}", "{} {\"a\":{\"b\":[{}]}} "},
        {"}{\"}\"}", "{\"}\"} "},
        {"{\"a\\\"}\"}{1}", "{\"a\\\"}\"} {1} "},
        {"{\"a\\\\\"}{1}", "{\"a\\\\\"} {1} "},
        {"{\"a\\\\\\\"}\"}{1}", "{\"a\\\\\\\"}\"} {1} "},
        {"{\"a\n{\r\"}{", "{\"a\n{\r\"} "},
        {"\"{\"}", ""}, /* a quote between objects is none */
    };
    char found[256];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size = strlen(cases[i].stream);
        for (size_t cut = 0; cut <= size; cut++) {
            objects_of(cases[i].stream, size, cut, found);
            ck_assert_str_eq(found, cases[i].objects);
        }
    }
}
END_TEST

START_TEST(large_objects_are_lost_and_the_next_one_is_not) {
    struct object_capture capture = {.most = 4096};
    static char large[6000];
    bool is_whole;
    memset(large, 'a', sizeof large);
    memcpy(large, "{\"", 2);
    memcpy(large + sizeof large - 2, "\"}", 2);
    ck_assert_uint_eq(capture_feed(&capture, (struct str){large, sizeof large}, &is_whole), 6000);
    ck_assert(is_whole && !capture_object(&capture).size);
    ck_assert_uint_eq(capture_feed(&capture, STR("{1}"), &is_whole), 3);
    ck_assert(is_whole && str_is(capture_object(&capture), "{1}"));
    capture_close(&capture);
}
END_TEST

static void expect_member(const char *object, const char *name, const char *value) {
    struct str found = object_member(str_of(object), name);
    ck_assert_msg(str_is(found, value), "%s of %s: '%.*s'", name, object, (int)found.size,
                  found.data ? found.data : "");
}

START_TEST(members_are_read) {
    expect_member("{\"cmd\":\"a\",\"args\":\"b\"}", "args", "\"b\"");
    expect_member(" {\n\"cmd\" : 1 , \"args\" : {\"x\":[1,\"}\"]} } ", "args", "{\"x\":[1,\"}\"]}");
    expect_member("{\"a\":null}", "a", "null");
    expect_member("{\"a\":-1.5e+3}", "a", "-1.5e+3");
    expect_member("{\"a\":1,\"a\":2}", "a", "");
    expect_member("{\"a\":1,\"b\":}", "a", "");
    expect_member("{\"a\":1 \"b\":2}", "a", "");
    expect_member("{\"a\":1,}", "a", "");
    expect_member("{\"a\":[}", "a", "");
    expect_member("{\"a\":1}}", "a", "");
    expect_member("[\"a\"]", "a", "");
    expect_member("", "a", "");
    expect_member("{}", "a", "");
}
END_TEST

START_TEST(what_is_nested_deeply_is_unknown) {
    char object[1024] = "{\"a\":";
    for (int i = 0; i < OBJECT_DEPTH; i++) strcat(object, "[");
    for (int i = 0; i < OBJECT_DEPTH; i++) strcat(object, "]");
    strcat(object, "}");
    ck_assert(object_member(str_of(object), "a").size == 2 * OBJECT_DEPTH);
    memmove(object + 6, object + 5, strlen(object + 5) + 1);
    strcpy(object + strlen(object) - 1, "]}");
    ck_assert(!object_member(str_of(object), "a").data);
}
END_TEST

START_TEST(strings_are_decoded) {
    static const struct {
        const char *value, *text; /* text: NULL if it is none */
        bool is_plain;
    } cases[] = {
        {"\"\"", "", true},
        {"\"a\nb\r\n\"", "a\nb\r\n", true},
        {"\"a\\\\n\\\"\"", "a\\n\"", true},
        {"\"\\n\\t\\/\\b\\f\\r\"", "\n\t/\b\f\r", false},
        {"\"\\u00e9\\u20AC\\ud83d\\ude00\"", "\303\251\342\202\254\360\237\230\200", false},
        {"\"\303\251\"", "\303\251", true},
        {"\"\\x\"", NULL, false},
        {"\"\\u12\"", NULL, false},
        {"\"\\ud83d\"", NULL, false},
        {"\"\\ud83d\\u0041\"", NULL, false},
        {"\"\\udc00\"", NULL, false},
        {"\"a", NULL, false},
        {"1", NULL, false},
        {"\"a\"b\"", NULL, false},
    };
    char text[64];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool is_plain = false;
        size_t size = value_decode(str_of(cases[i].value), text, &is_plain);
        if (!cases[i].text) {
            ck_assert_msg(size == SIZE_MAX, "%s", cases[i].value);
            continue;
        }
        ck_assert_msg(str_is((struct str){text, size}, cases[i].text), "%s", cases[i].value);
        ck_assert(is_plain == cases[i].is_plain);
    }
}
END_TEST

/* ---- the conversation ---- */

#define UPLOAD "{\"cmd\":\"newXMLSystem3\",\"args\":\"<nta/>\"}"
#define CHECK "{\"cmd\":\"modelCheck\",\"args\":\"A[] x\"}"
#define TAKEN "{\"res\":\"ok\",\"info\":{\"procs\":[]}}"
#define REFUSED "{\"res\":\"error\",\"info\":{\"errors\":[]}}"
#define CHECKED "{\"res\":\"ok\",\"info\":{\"status\":\"T\",\"trace\":null}}"
#define OTHER "{\"cmd\":\"other\",\"args\":\"\"}"
#define DONE "{\"res\":\"ok\",\"info\":1}"

/* g and e before an object say from where; the state in the end, and whether a check would be
 * alone. */
START_TEST(what_is_known_of_the_conversation) {
    static const struct {
        const char *objects[10];
        enum conversation_state state;
        bool is_alone;
    } cases[] = {
        {{NULL}, TALK_NONE, false},
        {{"g" CHECK}, TALK_NONE, false},
        {{"g" UPLOAD}, TALK_SENT, false},
        {{"g" UPLOAD, "e" TAKEN}, TALK_READY, true},
        {{"g" UPLOAD, "e" REFUSED}, TALK_NONE, false},
        {{"g" UPLOAD, "e{\"res\":\"error\"}"}, TALK_SENT, false},
        {{"g" UPLOAD, "e" TAKEN, "g" CHECK}, TALK_PASSED, true},
        {{"g" UPLOAD, "e" TAKEN, "g" CHECK, "g" CHECK}, TALK_PASSED, false},
        {{"g" UPLOAD, "e" TAKEN, "g" CHECK, "e" CHECKED}, TALK_READY, true},
        {{"g" UPLOAD, "e" TAKEN, "g" CHECK, "e{\"progress\":1}"}, TALK_PASSED, true},
        {{"g" UPLOAD, "e" TAKEN, "g" CHECK, "g" UPLOAD}, TALK_SENT, false},
        {{"g" UPLOAD, "e" TAKEN, "g" UPLOAD, "e" REFUSED}, TALK_NONE, false},
        {{"g" UPLOAD, "g" UPLOAD, "e" TAKEN}, TALK_SENT, false},
        {{"g" UPLOAD, "g" UPLOAD, "e" REFUSED, "e" TAKEN}, TALK_NONE, false},
        {{"g" UPLOAD, "g" CHECK, "e" TAKEN}, TALK_PASSED, false},
        {{"g" OTHER, "g" UPLOAD, "e" TAKEN}, TALK_READY, true},
        {{"g" UPLOAD, "e" TAKEN, "g" OTHER}, TALK_READY, false},
        {{"g" UPLOAD, "e" TAKEN, "g" OTHER, "e" DONE}, TALK_READY, true},
        {{"g" UPLOAD, "e" TAKEN, "e" DONE}, TALK_READY, false},
        {{"g" UPLOAD, "e" TAKEN, "e" DONE, "g" UPLOAD, "e" TAKEN}, TALK_READY, true},
        {{"g" UPLOAD, "e" TAKEN, "g{\"cmd\""}, TALK_NONE, false},
    };
    static const char *const none[] = {NULL};
    static struct conversation talk;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        conversation_open(&talk, none);
        for (size_t k = 0; cases[i].objects[k]; k++) {
            struct str object = str_of(cases[i].objects[k] + 1);
            if (*cases[i].objects[k] == 'g')
                conversation_gui(&talk, object);
            else
                conversation_engine(&talk, object);
        }
        ck_assert_msg(talk.state == cases[i].state, "%zu: state %d", i, talk.state);
        ck_assert_msg(conversation_is_alone(&talk) == cases[i].is_alone, "%zu", i);
        conversation_close(&talk);
    }
}
END_TEST

Suite *engine_suite(void) {
    Suite *suite = suite_create("engine");
    TCase *stream = tcase_create("stream"), *objects = tcase_create("objects"),
          *talk = tcase_create("conversation");
    tcase_add_test(stream, objects_are_found_wherever_the_stream_is_cut);
    tcase_add_test(stream, large_objects_are_lost_and_the_next_one_is_not);
    tcase_add_test(objects, members_are_read);
    tcase_add_test(objects, what_is_nested_deeply_is_unknown);
    tcase_add_test(objects, strings_are_decoded);
    tcase_add_test(talk, what_is_known_of_the_conversation);
    suite_add_tcase(suite, stream);
    suite_add_tcase(suite, objects);
    suite_add_tcase(suite, talk);
    return suite;
}
