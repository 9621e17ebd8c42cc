#include "xml/load.h"
#include "xml/splice.h"

#include "xml_sample.h"

#include <check.h>
#include <stdio.h>

Suite *splice_suite(void);

#ifdef VARABS_CHECKS /* with sanitizers all takes longer */
enum { ROUNDS = 250 };
#else
enum { ROUNDS = 1000 };
#endif

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
    {"a", 1, 1, "\340\200\200", "a&#xFFFD;&#xFFFD;&#xFFFD;"}, /* longer than it must be */
    {"a", 1, 1, "\r\n", "a&#13;\n"},
    {"\303\251b", 2, 3, "c", "\303\251c"},
    {"a<![CDATA[ < ]]>b", 0, 1, "c", "c &lt; b"},
    {"a<!-- c --> b", 0, 1, "c", "c<!-- c --> b"},
    {"a<!-- c --> b", 1, 1, "c", "ac<!-- c --> b"},
    {"<![CDATA[a]]><!-- c -->", 1, 1, "c", "<![CDATA[a]]>c<!-- c -->"},
    {"<![CDATA[a < b]]>", 0, 1, "c && d", "<![CDATA[c && d < b]]>"},
    {"<![CDATA[ab]]><![CDATA[cd]]>", 1, 3, "x", "<![CDATA[axd]]>"},
    {"<![CDATA[a]b]]>", 0, 1, "]]>", "]]&gt;]b"},
    {"<![CDATA[a[b[0]]<0]]>", 7, 8, ">", "a[b[0]]&gt;0"},
    {"<![CDATA[a[b]<0]]>", 4, 5, ">=", "<![CDATA[a[b]>=0]]>"},
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

START_TEST(neighbouring_edits_do_not_close_a_section) {
    start_text("<nta><declaration>xy></declaration><system/></nta>");
    struct text_edit list[] = {edit_of(document.declaration, 0, 1, "]]"),
                               edit_of(document.declaration, 1, 2, "")};
    splice_edit_text(&splices, document.declaration, list, 2);
    check_output("<nta><declaration>]]&gt;</declaration><system/></nta>");
}
END_TEST

START_TEST(empty_tags_get_a_content_in_any_encoding) {
    struct sample sample = {.form = (enum form)_i, .line = 1, .column = 1};
    sample_begin(&sample, sample.form);
    sample_write(&sample, "<declaration/><system/></nta>");
    start((struct str){sample.bytes.data, sample.bytes.size});
    edit_declaration(0, 0, "a < \303\251\n");
    struct document again;
    must_parse(&again, splices_apply(&splices));
    ck_assert_str_eq(again.declaration->text.content.data, "a < \303\251\n");
    sample_free(&sample);
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

START_TEST(queries_get_an_end_tag) {
    start_text("<nta><system/><queries /></nta>");
    splice_open_queries(&splices);
    check_output("<nta><system/><queries ></queries></nta>");
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
    for (uint32_t seed = 0; seed < ROUNDS; seed++) {
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

/* ---- rewriting ---- */

static void rewrite(void) {
    struct byte_map *map = byte_map_new(&arena, &document);
    struct str bytes = splices_trace(&splices, map);
    ck_assert(document_replace(&document, bytes, map, &diag));
    splices_init(&splices, &document, &arena);
}

static void check_place(const struct text *text, size_t offset, const struct sample_place *place) {
    struct source_location at = source_locate(&document.source, text->begin + (position)offset);
    ck_assert_uint_eq(at.line, place->line);
    ck_assert_uint_eq(at.column, place->column);
}

/* Places of the text that some edits made: of the edit, or of the character that was kept. */
static void check_edited(const struct sample *sample, const struct text_edit *list, uint32_t count,
                         position begin) {
    const struct text *text = &document.declaration->text;
    size_t at = 0, offset = 0;
    for (uint32_t i = 0; i <= count; i++) {
        size_t next = i < count ? list[i].span.begin - begin : sample->text.size;
        for (; at < next; at++, offset++) check_place(text, offset, &sample->at[at]);
        for (size_t k = 0; i < count && k < list[i].text.size; k++)
            check_place(text, offset++, &sample->at[at]);
        if (i < count) at = list[i].span.end - begin;
    }
    ck_assert_uint_eq(offset, text->content.size);
}

START_TEST(rewritten_documents_keep_their_places) {
    for (uint32_t seed = 0; seed < ROUNDS / 2; seed++) {
        struct sample sample;
        sample_make(&sample, (enum form)(_i % FORM_COUNT), seed);
        start((struct str){sample.bytes.data, sample.bytes.size});
        const struct element *element = document.declaration;
        struct str content = element->text.content;
        position begin = element->text.begin;
        struct text_edit list[4];
        uint32_t count = random_edits(&sample, &element->text, list, 4);
        splice_edit_text(&splices, element, list, count);
        bool is_spliced = true; /* rather than replaced as a whole */
        for (uint32_t i = 0; i < splices.edits.count; i++)
            is_spliced &= splices.edits.items[i].end < element->content_end ||
                          splices.edits.items[i].begin > element->content_begin;
        size_t at = document.system->begin;
        splice_markup(&splices, at, at, STR("<instantiation>\n"));
        splice_copy(&splices, at, element->content_begin, element->content_end);
        splice_markup(&splices, at, at, STR("</instantiation>"));
        for (int round = 0; round < 3; round++) {
            rewrite();
            const struct text *copy = &document.instantiation->text;
            ck_assert_uint_eq(copy->content.size, content.size + 1);
            for (size_t i = 0; i < content.size; i++) check_place(copy, i + 1, &sample.at[i]);
            if (is_spliced) check_edited(&sample, list, count, begin);
            struct source_location place =
                source_locate(&document.source, begin); /* as it was before */
            ck_assert_uint_eq(place.line, sample.at[0].line);
            splice_markup(&splices, document.declaration->begin, document.declaration->begin,
                          STR("<!-- \n -->"));
        }
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

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

Suite *splice_suite(void) {
    Suite *suite = suite_create("splice");
    TCase *tests = tcase_create("edits");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    tcase_add_loop_test(tests, text_edits_change_what_they_must, 0, COUNT(edits));
    tcase_add_test(tests, several_edits_apply_together);
    tcase_add_test(tests, neighbouring_edits_do_not_close_a_section);
    tcase_add_test(tests, empty_tags_get_a_content);
    tcase_add_loop_test(tests, empty_tags_get_a_content_in_any_encoding, 0, FORM_COUNT);
    tcase_add_test(tests, no_text_leaves_an_empty_tag);
    tcase_add_test(tests, queries_get_an_end_tag);
    tcase_add_test(tests, set_text_replaces_everything);
    tcase_add_test(tests, line_ends_follow_the_file);
    tcase_add_loop_test(tests, elements_go_with_their_line, 0, COUNT(removals));
    tcase_add_test(tests, removed_element_can_have_new_neighbours);
    tcase_add_test(tests, all_children_can_be_removed);
    tcase_add_test(tests, insertions_keep_their_order);
    tcase_add_loop_test(tests, edited_documents_read_as_meant, 0, FORM_COUNT);
    tcase_add_loop_test(tests, rewritten_documents_keep_their_places, 0, FORM_COUNT);
    tcase_add_test(tests, plain_text_keeps_its_other_bytes);
    tcase_add_test(tests, escape_covers_markup);
    return suite;
}
