#include "xml/document.h"
#include "xml/encoding.h"
#include "xml/load.h"

#include "xml_sample.h"

#include "xml_fixture.h"

#include <check.h>
#include <stdio.h>

Suite *xml_suite(void);

static bool parse(const char *text) { return parse_bytes(text, strlen(text)); }

/* ---- the typed view ---- */

static const char model[] =
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
    "<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN' 'http://x/flat-1_6.dtd'>\n"
    "<nta>\n"
    "  <declaration>int x;</declaration>\n"
    "  <template>\n"
    "    <name x=\"5\" y=\"5\">P</name>\n"
    "    <parameter>const int n</parameter>\n"
    "    <declaration>int y;</declaration>\n"
    "    <location id=\"a\" x=\"0\" y=\"1\">\n"
    "      <name>Start</name>\n"
    "      <label kind=\"invariant\">x &lt;= 2</label>\n"
    "      <committed/>\n"
    "    </location>\n"
    "    <location id=\"b\"><urgent/></location>\n"
    "    <branchpoint id=\"c\"/>\n"
    "    <init ref=\"b\"/>\n"
    "    <transition>\n"
    "      <source ref=\"a\"/>\n"
    "      <target ref=\"c\"/>\n"
    "      <label kind=\"select\">i : int[0,1]</label>\n"
    "      <label kind=\"guard\">x == i</label>\n"
    "      <label kind=\"synchronisation\"> </label>\n"
    "      <label kind=\"assignment\"/>\n"
    "      <nail x=\"1\" y=\"2\"/>\n"
    "    </transition>\n"
    "    <transition controllable=\"false\">\n"
    "      <source ref=\"c\"/>\n"
    "      <target ref=\"b\"/>\n"
    "      <label kind=\"probability\">3</label>\n"
    "      <label kind=\"assignment\">x = 1</label>\n"
    "    </transition>\n"
    "    <transition/>\n"
    "  </template>\n"
    "  <template/>\n"
    "  <lsc><name>L</name><template>not one</template></lsc>\n"
    "  <instantiation>Q = P(1);</instantiation>\n"
    "  <system>system Q;</system>\n"
    "  <simulator type=\"x\"><plot-widget/></simulator>\n"
    "  <queries>\n"
    "    <option key=\"--x\" value=\"\"/>\n"
    "    <query><formula>A[] x</formula><comment>why</comment>"
    "<result outcome=\"success\"><details>no</details></result></query>\n"
    "    <query/>\n"
    "  </queries>\n"
    "</nta>\n";

static void check_text(const struct element *element, const char *expected) {
    ck_assert_ptr_nonnull(element);
    ck_assert_str_eq(element->text.content.data, expected);
    ck_assert_uint_eq(element->text.content.size, strlen(expected));
}

START_TEST(whole_model_is_read) {
    ck_assert(parse(model));
    ck_assert_uint_eq(diag.error_count + diag.warning_count, 0);
    check_text(document.declaration, "int x;");
    check_text(document.instantiation, "Q = P(1);");
    check_text(document.system, "system Q;");
    ck_assert_uint_eq(document.template_count, 1);
    ck_assert_uint_eq(document.query_count, 2);
    check_text(document.query_list[0].formula, "A[] x");
    check_text(document.query_list[0].comment, "why");
    ck_assert_ptr_null(document.query_list[1].formula);
    ck_assert_str_eq(document.line_end, "\n");
    ck_assert_str_eq(document.root->name, "nta");
}
END_TEST

START_TEST(template_is_read) {
    ck_assert(parse(model));
    const struct xml_template *template = &document.templates[0];
    check_text(template->name, "P");
    ck_assert_str_eq(element_attribute(template->name, "x"), "5");
    ck_assert_ptr_null(element_attribute(template->name, "z"));
    check_text(template->parameter, "const int n");
    check_text(template->declaration, "int y;");
    ck_assert_uint_eq(template->location_count, 2);
    ck_assert_uint_eq(template->branchpoint_count, 1);
    ck_assert_uint_eq(template->initial, 1);
    const struct xml_location *start = &template->nodes[0];
    ck_assert_str_eq(start->id, "a");
    check_text(start->name, "Start");
    ck_assert(start->is_committed && !start->is_urgent && !start->is_branchpoint);
    ck_assert_str_eq(label_text(&start->labels, LABEL_INVARIANT)->content.data, "x <= 2");
    ck_assert(template->nodes[1].is_urgent);
    ck_assert_ptr_null(template->nodes[1].name);
    ck_assert(template->nodes[2].is_branchpoint);
    ck_assert_str_eq(template->nodes[2].id, "c");
}
END_TEST

START_TEST(transitions_are_read) {
    ck_assert(parse(model));
    const struct xml_template *template = &document.templates[0];
    ck_assert_uint_eq(template->transition_count, 2);
    const struct xml_transition *first = &template->transitions[0];
    ck_assert_uint_eq(first->source, 0);
    ck_assert_uint_eq(first->target, 2);
    ck_assert(first->is_controllable && !first->late_select);
    ck_assert_str_eq(label_text(&first->labels, LABEL_SELECT)->content.data, "i : int[0,1]");
    ck_assert_str_eq(label_text(&first->labels, LABEL_GUARD)->content.data, "x == i");
    ck_assert_ptr_null(label_text(&first->labels, LABEL_SYNC));
    ck_assert_ptr_null(label_text(&first->labels, LABEL_UPDATE));
    const struct xml_transition *second = &template->transitions[1];
    ck_assert_uint_eq(second->source, 2);
    ck_assert_uint_eq(second->target, 1);
    ck_assert(!second->is_controllable);
    ck_assert_str_eq(label_text(&second->labels, LABEL_PROBABILITY)->content.data, "3");
    ck_assert_str_eq(label_text(&second->labels, LABEL_UPDATE)->content.data, "x = 1");
}
END_TEST

static void check_range(const struct element *element, const char *whole, const char *content) {
    const char *bytes = document.bytes.data;
    ck_assert_uint_eq(element->end - element->begin, strlen(whole));
    ck_assert_int_eq(memcmp(bytes + element->begin, whole, strlen(whole)), 0);
    ck_assert_uint_eq(element->content_end - element->content_begin, strlen(content));
    ck_assert_int_eq(memcmp(bytes + element->content_begin, content, strlen(content)), 0);
}

START_TEST(elements_know_their_bytes) {
    ck_assert(parse(model));
    const struct xml_template *template = &document.templates[0];
    check_range(document.declaration, "<declaration>int x;</declaration>", "int x;");
    check_range(template->nodes[0].labels.of[LABEL_INVARIANT],
                "<label kind=\"invariant\">x &lt;= 2</label>", "x &lt;= 2");
    check_range(template->nodes[2].element, "<branchpoint id=\"c\"/>", "");
    check_range(template->nodes[1].element, "<location id=\"b\"><urgent/></location>", "<urgent/>");
    ck_assert(template->nodes[2].element->is_empty_tag);
    ck_assert(!template->nodes[1].element->is_empty_tag);
    ck_assert_uint_eq(document.root->end, sizeof model - 2);
    struct source_location place = source_locate(&document.source, template->nodes[1].element->at);
    ck_assert_uint_eq(place.line, 14);
    ck_assert_uint_eq(place.column, 5);
}
END_TEST

static const char *const accepted[] = {
    "<nta><system>x</system></nta>",
    "<project><system>x</system></project>",
    "\n\n<nta><system/><queries/></nta>",
    "<?xml version='1.0'?><!-- c --><nta><system/></nta><!-- d --><?e f?>",
    "<nta><unknown><deep><label/></deep></unknown><system/></nta>",
    "<nta xmlns='urn:x'><system/></nta>",
    "<!DOCTYPE nta SYSTEM 'nowhere.dtd'><nta><system/></nta>",
    "<!DOCTYPE nta [<!ENTITY % p SYSTEM 'nowhere'> %p; <!ELEMENT nta ANY>]><nta><system/></nta>",
    "<nta><system>x</system><queries><query><comment/><formula/></query></queries></nta>",
    "<nta><template><name>P</name><location id='a'/><location id='b'/><init ref='b'/>"
    "<transition><source ref='a'/><target ref='b'/><label/><label kind='x'>?</label></transition>"
    "</template><system/></nta>",
};

START_TEST(unusual_documents_are_read) {
    bool is_read = parse(accepted[_i]);
    if (!is_read) diag_print(&diag, stderr);
    ck_assert(is_read);
    ck_assert_uint_eq(diag.warning_count, 0);
}
END_TEST

/* ---- places in texts ---- */

START_TEST(text_positions_map_to_the_file) {
    enum form form = (enum form)(_i % FORM_COUNT);
    for (uint32_t seed = 0; seed < 500; seed++) {
        struct sample sample;
        sample_make(&sample, form, seed);
        bool is_read = parse_bytes(sample.bytes.data, sample.bytes.size);
        if (!is_read) diag_print(&diag, stderr);
        ck_assert(is_read);
        const struct text *text = &document.declaration->text;
        ck_assert_uint_eq(text->content.size, sample.text.size);
        if (sample.text.size) ck_assert_str_eq(text->content.data, sample.text.data);
        ck_assert_uint_eq(text->is_plain, sample.is_plain);
        ck_assert_uint_eq(document.declaration->content_begin, sample.label_begin);
        ck_assert_uint_eq(document.declaration->content_end, sample.label_end);
        for (position i = 0; i <= text->content.size; i++) {
            struct source_location place = source_locate(&document.source, text->begin + i);
            ck_assert_uint_eq(place.line, sample.at[i].line);
            ck_assert_uint_eq(place.column, sample.at[i].column);
            if (((unsigned char)text->content.data[i] & 0xC0) != 0x80)
                ck_assert_uint_eq(document_byte(&document, text->begin + i), sample.at[i].byte);
        }
        sample_free(&sample);
        teardown();
        setup();
    }
}
END_TEST

/* Where a character of the global declaration lies. */
static const struct {
    const char *document;
    const char *text; /* the declaration */
    char character;   /* first occurrence of this one ... */
    uint32_t line, column;
    size_t byte; /* ... is here */
} places[] = {
    {"<nta><declaration>a&lt;b</declaration><system/></nta>", "a<b", 'b', 1, 24, 23},
    {"<nta><declaration>a&lt;b</declaration><system/></nta>", "a<b", '<', 1, 20, 19},
    {"<nta><declaration>\r\n\r\n  b</declaration><system/></nta>", "\n\n  b", 'b', 3, 3, 24},
    {"<nta><declaration>\n\ra</declaration><system/></nta>", "\n\na", 'a', 3, 1, 20},
    {"<nta><declaration>\303\251\303\251b</declaration><system/></nta>", "\303\251\303\251b", 'b',
     1, 21, 22},
    {"<nta><declaration>a<![CDATA[&&\n<b]]>c</declaration><system/></nta>", "a&&\n<bc", 'b', 2, 2,
     32},
    {"<nta><declaration>a<![CDATA[&&\n<b]]>c</declaration><system/></nta>", "a&&\n<bc", 'c', 2, 6,
     36},
    {"<nta><declaration>&#x1D11E;b</declaration><system/></nta>", "\360\235\204\236b", 'b', 1, 28,
     27},
    {"<!DOCTYPE nta [<!ENTITY e 'xyz'>]>\n<nta><declaration>a&e;b</declaration><system/></nta>",
     "axyzb", 'z', 2, 20, 54},
    {"<!DOCTYPE nta [<!ENTITY e 'xyz'>]>\n<nta><declaration>a&e;b</declaration><system/></nta>",
     "axyzb", 'b', 2, 23, 57},
    {"<!DOCTYPE nta [<!ENTITY e "
     "'<![CDATA[&#38;&#38;zy]]>'>]>\n<nta><declaration>a&e;</declaration><system/>"
     "</nta>",
     "a&&zy", 'y', 2, 20, 75},
};

START_TEST(known_characters_are_located) {
    ck_assert(parse(places[_i].document));
    const struct text *text = &document.declaration->text;
    ck_assert_str_eq(text->content.data, places[_i].text);
    const char *found = strchr(text->content.data, places[_i].character);
    position at = text->begin + (position)(found - text->content.data);
    struct source_location place = source_locate(&document.source, at);
    ck_assert_uint_eq(place.line, places[_i].line);
    ck_assert_uint_eq(place.column, places[_i].column);
    ck_assert_uint_eq(document_byte(&document, at), places[_i].byte);
}
END_TEST

START_TEST(long_lines_are_mapped) {
    struct buffer buffer = {0};
    buffer_add_text(&buffer, "<?xml version='1.0' encoding='ISO-8859-1'?>\n<nta><declaration>");
    size_t begin = buffer.size;
    for (int i = 0; i < 20000; i++) buffer_add_text(&buffer, "\351");
    buffer_add_text(&buffer, "</declaration><system/></nta>");
    ck_assert(parse_bytes(buffer.data, buffer.size));
    const struct text *text = &document.declaration->text;
    ck_assert_uint_eq(text->content.size, 40000);
    for (position i = 0; i <= 20000; i += 1000) {
        struct source_location place = source_locate(&document.source, text->begin + 2 * i);
        ck_assert_uint_eq(place.column, 19 + i);
        ck_assert_uint_eq(document_byte(&document, text->begin + 2 * i), begin + i);
    }
    buffer_close(&buffer);
}
END_TEST

START_TEST(text_ends_at_a_comment) {
    ck_assert(parse("<nta><declaration>int a;<!-- c --> int b;</declaration><system/></nta>"));
    check_text(document.declaration, "int a;");
    ck_assert(document.declaration->text.is_plain);
    ck_assert_uint_eq(diag.warning_count, 1);
    ck_assert_uint_eq(source_locate(&document.source, diag.items.items[0].at).column, 35);
}
END_TEST

START_TEST(leading_comment_hides_everything) {
    ck_assert(parse("<nta><declaration><!-- c -->int b;</declaration><system/></nta>"));
    check_text(document.declaration, "");
    ck_assert_uint_eq(document_byte(&document, document.declaration->text.begin), 18);
    ck_assert_uint_eq(diag.warning_count, 1);
}
END_TEST

START_TEST(blank_text_after_a_comment_is_no_matter) {
    ck_assert(parse("<nta><declaration>int b;<!-- c -->\n <?p q?></declaration><system/></nta>"));
    check_text(document.declaration, "int b;");
    ck_assert_uint_eq(diag.warning_count, 0);
}
END_TEST

/* ---- encodings ---- */

static const struct {
    const char *name, *bytes, *decoded;
} encodings[] = {
    {"ISO-8859-1", "\251\200", "\302\251\302\200"},
    {"iso-8859-15", "\244\276", "\342\202\254\305\270"},
    {"windows-1252", "\200\237\251", "\342\202\254\305\270\302\251"},
    {"CP1252", "\223", "\342\200\234"},
    {"latin1", "\351", "\303\251"},
    {"utf8", "\342\202\254\360\235\204\236", "\342\202\254\360\235\204\236"},
    {"US-ASCII", "x", "x"},
};

START_TEST(encodings_are_decoded) {
    struct buffer buffer = {0};
    buffer_printf(&buffer, "<?xml version='1.0' encoding='%s'?><nta><system>", encodings[_i].name);
    buffer_add_text(&buffer, encodings[_i].bytes);
    buffer_add_text(&buffer, "</system></nta>");
    ck_assert(parse_bytes(buffer.data, buffer.size));
    check_text(document.system, encodings[_i].decoded);
    buffer_close(&buffer);
}
END_TEST

START_TEST(line_ends_are_counted) {
    ck_assert(parse("<nta>\r\n\r\n\n<system/></nta>"));
    ck_assert_str_eq(document.line_end, "\r\n");
    ck_assert(parse("<nta>\r\n\n<system/></nta>"));
    ck_assert_str_eq(document.line_end, "\n");
}
END_TEST

/* ---- errors ---- */

#define TEMPLATE(text) "<nta><template>" text "</template><system/></nta>"
#define PLAIN "<name>P</name><location id='a'/><location id='b'/><init ref='a'/>"
#define EDGE(text)                                                                                 \
    TEMPLATE(PLAIN "<transition><source ref='a'/><target ref='b'/>" text "</transition>")
#define LOCATION(text) TEMPLATE("<name>P</name><location id='a'>" text "</location><init ref='a'/>")

static const struct {
    const char *document, *message; /* part of the first message */
    uint32_t line, column;
} errors[] = {
    {" \n ", "no element found", 2, 2},
    {"int x;", "not an XML file", 1, 1},
    {"<html></html>", "root element is <html>; an Uppaal model has <nta>", 1, 1},
    {"<nta><system>", "truncated: it ends inside <system>", 1, 14},
    {"<nta>\n<sys", "truncated: it ends inside <nta>", 2, 1},
    {"<nta><system></nta>", "not the end of <system>", 1, 16},
    {"<nta><system>a<b</system></nta>", "'<' is written &lt;", 1, 17},
    {"<nta><system>a && b</system></nta>", "'&' is written &amp;", 1, 17},
    {"<nta><system>\377</system></nta>", "not a character of the encoding", 1, 14},
    {"<nta><system>\001</system></nta>", "control characters", 1, 14},
    {"<nta><system>&e;</system></nta>", "undefined entity", 1, 14},
    {"<!DOCTYPE nta SYSTEM 'x'><nta><system>&e;</system></nta>", "'e' is not declared", 1, 39},
    {"<!DOCTYPE nta [<!ENTITY e SYSTEM 'x'>]><nta><system>&e;</system></nta>",
     "external XML entities are not read", 1, 53},
    {"<!DOCTYPE nta [<!ENTITY e 'x<a/>'>]><nta><system>&e;</system></nta>",
     "contains elements or comments", 1, 50},
    {"<!DOCTYPE nta [<!ENTITY e 'x<!-- -->'>]><nta><system>&e;</system></nta>",
     "contains elements or comments", 1, 54},
    {"<!DOCTYPE nta [<!ENTITY e '<system/>'>]><nta>&e;</nta>", "entity that contains elements", 1,
     46},
    {"<?xml version='1.0' encoding='EBCDIC'?><nta/>", "encoding 'EBCDIC' is not supported", 1, 1},
    {"<?xml version='1.0' encoding='UTF-16'?><nta/>", "encoding", 1, 31},
    {"<nta/>", "<nta> has no <system>", 1, 1},
    {"<nta><system/><system/></nta>", "second <system> in <nta>", 1, 15},
    {"<nta><queries></queries><system/></nta>", "<system> must come before <queries>", 1, 25},
    {"<nta><imports>x</imports><system/></nta>", "<imports>; remove it", 1, 6},
    {"<nta><location id='a'/><system/></nta>", "<location> does not belong in <nta>", 1, 6},
    {TEMPLATE("<edge/>"), "write <transition>", 1, 16},
    {TEMPLATE("<location id='a'/><init ref='a'/>"), "<template> has no <name>", 1, 6},
    {TEMPLATE("<name>P</name>"), "<init> is missing", 1, 6},
    {TEMPLATE("<name/><location/><init ref='a'/>"), "<location> has no attribute id", 1, 23},
    {TEMPLATE("<name/><location id='a'/><location id='a'/><init ref='a'/>"), "'a' is used twice", 1,
     41},
    {TEMPLATE("<name/><location id='a'/><branchpoint id='a'/><init ref='a'/>"), "'a' is used twice",
     1, 41},
    {TEMPLATE("<name/><location id='a'/><init/>"), "<init> has no attribute ref", 1, 41},
    {TEMPLATE("<name/><location id='a'/><init ref='b'/>"), "<init> refers to 'b'", 1, 41},
    {TEMPLATE("<name/><branchpoint id='a'/><init ref='a'/>"), "initial location is a branchpoint",
     1, 44},
    {TEMPLATE("<name/><init ref='a'/><location id='a'/>"), "<location> must come before <init>", 1,
     38},
    {TEMPLATE("<declaration/><parameter/>"), "<parameter> must come before <declaration>", 1, 30},
    {LOCATION("<urgent/><committed/>"), "either urgent or committed", 1, 30},
    {LOCATION("<urgent/><label kind='invariant'>x</label>"), "<label> must come before <urgent>", 1,
     56},
    {LOCATION("<label kind='guard'>x</label>"), "<location> cannot have a label of kind 'guard'", 1,
     47},
    {LOCATION("<name/><name/>"), "second <name> in <location>", 1, 54},
    {EDGE("<label kind='invariant'>x</label>"), "<transition> cannot have a label", 1, 127},
    {EDGE("<label>x</label>"), "<label> has no attribute kind", 1, 127},
    {EDGE("<nail/><label kind='guard'>x</label>"), "<label> must come before <nail>", 1, 134},
    {EDGE("<source ref='a'/>"), "<source> must come before <target>", 1, 127},
    {TEMPLATE(PLAIN "<transition></transition>"), "<transition> has no <source>", 1, 81},
    {TEMPLATE(PLAIN "<transition><source ref='a'/></transition>"), "<transition> has no <target>",
     1, 81},
    {TEMPLATE(PLAIN "<transition><source/><target ref='a'/></transition>"),
     "<source> has no attribute ref", 1, 93},
    {TEMPLATE(PLAIN "<transition><source ref='c'/><target ref='a'/></transition>"),
     "<source> refers to 'c'", 1, 93},
};

START_TEST(errors_are_reported) {
    ck_assert(!parse(errors[_i].document));
    ck_assert_uint_gt(diag.error_count, 0);
    diag_sort(&diag);
    const struct diagnostic *item = &diag.items.items[0];
    bool is_found = false;
    for (uint32_t i = 0; i < diag.items.count && !is_found; i++) {
        item = &diag.items.items[i];
        is_found = strstr(item->message, errors[_i].message) != NULL;
    }
    if (!is_found) diag_print(&diag, stderr);
    ck_assert_msg(is_found, "no message has: %s", errors[_i].message);
    struct source_location place = source_locate(&document.source, item->at);
    ck_assert_uint_eq(place.line, errors[_i].line);
    ck_assert_uint_eq(place.column, errors[_i].column);
    ck_assert_int_eq(item->status, strstr(errors[_i].message, "contains elements")
                                       ? STATUS_UNSUPPORTED
                                       : STATUS_INVALID);
}
END_TEST

START_TEST(empty_input_is_an_error) {
    ck_assert(!parse_bytes("", 0));
    ck_assert_int_eq(diag.status, STATUS_INVALID);
    ck_assert_str_eq(diag.items.items[0].message, "the file is empty");
}
END_TEST

static const struct {
    const char *document, *message; /* of the only warning; NULL for none */
} warnings[] = {
    {EDGE("<label kind='synchronization'>c!</label>"), "'synchronisation' may be meant"},
    {EDGE("<label kind='assignement'>x</label>"), "'assignment' may be meant"},
    {EDGE("<label kind='update'>x</label>"), "'assignment' may be meant"},
    {EDGE("<label kind='gaurd'>x</label>"), "'guard' may be meant"},
    {EDGE("<label kind='Guard'>x</label>"), "'guard' may be meant"},
    {EDGE("<label kind='update'> </label>"), NULL},
    {EDGE("<label kind='entirely_else'>x</label>"), NULL},
    {EDGE("<label kind='guard'>x</label><label kind='guard'>y</label>"), "second label of kind"},
    {EDGE("<label kind='guard'>x</label><label kind='guard'> </label>"), NULL},
    {EDGE("<label kind='comments'>x</label><label kind='comments'>y</label>"), NULL},
    {EDGE("<label kind='guard'>x</label><label kind='select'>i : t</label>"), NULL},
    {EDGE("<label kind='select'>i : t</label><label kind='select'>j : t</label>"), NULL},
    {EDGE("<label kind='comments'>x</label><label kind='select'>i : t</label>"), NULL},
    {EDGE("<label kind='guard'> </label><label kind='select'>i : t</label>"), NULL},
    {"<nta><template>" PLAIN "</template><template>" PLAIN "</template><system/></nta>",
     "used in another template"},
};

START_TEST(warnings_are_given) {
    ck_assert(parse(warnings[_i].document));
    ck_assert_uint_eq(diag.warning_count, warnings[_i].message ? 1 : 0);
    if (warnings[_i].message)
        ck_assert_ptr_nonnull(strstr(diag.items.items[0].message, warnings[_i].message));
}
END_TEST

START_TEST(last_label_of_a_kind_wins) {
    ck_assert(parse(EDGE("<label kind='guard'>x</label><label kind='guard'>y</label>"
                         "<label kind='guard'>\n</label><label kind='guard'/>")));
    const struct labels *labels = &document.templates[0].transitions[0].labels;
    ck_assert_str_eq(label_text(labels, LABEL_GUARD)->content.data, "y");
}
END_TEST

static const struct {
    const char *document;
    bool is_late;
} selects[] = {
    {EDGE("<label kind='guard'>x</label><label kind='select'>i : t</label>"), true},
    {EDGE("<label kind='assignment'>x</label><label kind='select'>i : t</label>"), true},
    {EDGE("<label kind='select'>i : t</label><label kind='select'>j : t</label>"), true},
    {EDGE("<label kind='select'>i : t</label><label kind='guard'>x</label>"), false},
    {EDGE("<label kind='comments'>x</label><label kind='select'>i : t</label>"), false},
    {EDGE("<label kind='guard'> </label><label kind='select'>i : t</label>"), false},
    {EDGE("<label kind='select'>i : t</label><label kind='select'> </label>"), false},
};

START_TEST(late_selects_are_marked) {
    ck_assert(parse(selects[_i].document));
    ck_assert(!document.templates[0].transitions[0].late_select == !selects[_i].is_late);
}
END_TEST

static TCase *add_case(Suite *suite, const char *name) {
    TCase *tests = tcase_create(name);
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    return tests;
}

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

static void add_text_tests(Suite *suite) {
    TCase *tests = add_case(suite, "texts");
    tcase_add_loop_test(tests, text_positions_map_to_the_file, 0, FORM_COUNT);
    tcase_add_loop_test(tests, known_characters_are_located, 0, COUNT(places));
    tcase_add_test(tests, long_lines_are_mapped);
    tcase_add_test(tests, text_ends_at_a_comment);
    tcase_add_test(tests, leading_comment_hides_everything);
    tcase_add_test(tests, blank_text_after_a_comment_is_no_matter);
    tcase_add_loop_test(tests, encodings_are_decoded, 0, COUNT(encodings));
    tcase_add_test(tests, line_ends_are_counted);
}

static void add_error_tests(Suite *suite) {
    TCase *tests = add_case(suite, "errors");
    tcase_add_loop_test(tests, errors_are_reported, 0, COUNT(errors));
    tcase_add_test(tests, empty_input_is_an_error);
    tcase_add_loop_test(tests, warnings_are_given, 0, COUNT(warnings));
    tcase_add_test(tests, last_label_of_a_kind_wins);
    tcase_add_loop_test(tests, late_selects_are_marked, 0, COUNT(selects));
}

Suite *xml_suite(void) {
    Suite *suite = suite_create("xml");
    TCase *view = add_case(suite, "view");
    tcase_add_test(view, whole_model_is_read);
    tcase_add_test(view, template_is_read);
    tcase_add_test(view, transitions_are_read);
    tcase_add_test(view, elements_know_their_bytes);
    tcase_add_loop_test(view, unusual_documents_are_read, 0, COUNT(accepted));
    add_text_tests(suite);
    add_error_tests(suite);
    return suite;
}
