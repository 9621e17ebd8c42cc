/* MODEL_SAMPLE - small models built from single texts, and the places of these texts in the file.
 */
#pragma once

#include "lang/check/check.h"
#include "lang/syntax/parse.h"
#include "xml/load.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* Texts that are not given are empty, `true` or `system P;`. */
enum part {
    PART_GLOBAL, /* behind the prelude, if there is one */
    PART_PARAMETER,
    PART_LOCAL,
    PART_INVARIANT, /* of the second location, B */
    PART_SELECT,
    PART_GUARD,
    PART_SYNC,
    PART_UPDATE,
    PART_SYSTEM,
    PART_QUERY,
    PART_COUNT
};

#define GLOBAL(x) .text[PART_GLOBAL] = x
#define PARAMETER(x) .text[PART_PARAMETER] = x
#define LOCAL(x) .text[PART_LOCAL] = x
#define INVARIANT(x) .text[PART_INVARIANT] = x
#define SELECT(x) .text[PART_SELECT] = x
#define GUARD(x) .text[PART_GUARD] = x
#define SYNC(x) .text[PART_SYNC] = x
#define UPDATE(x) .text[PART_UPDATE] = x
#define SYSTEM(x) .text[PART_SYSTEM] = x
#define QUERY(x) .text[PART_QUERY] = x
/* Template P with these parameters, instantiated with these arguments. */
#define BIND(parameter, arguments) PARAMETER(parameter), SYSTEM("Q = P(" arguments "); system Q;")
#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

/* Declarations for rows that check types. */
static const char sample_prelude[] =
    "const int N = 3; int x, y; int[0,5] z; int[0,N] zn; bool b; int a[N], a3[3], m2[2][N];\n"
    "chan c, ca[3]; urgent chan u; broadcast chan bc;\n"
    "typedef int[0,2] t; typedef scalar[3] S; S s, s2; scalar[3] other; int sa[S];\n"
    "typedef struct { int f; bool g; } Rec; Rec r, r2; const int K[3] = {1, 2, 3};\n"
    "int pure(int p) { return p + 1; } void imp() { x = 1; } int wr() { x++; return x; }\n"
    "int rd() { return x; } int arr(int q[N]) { q[0] = 1; return q[0]; }\n"
    "void byref(int &q) { q = 1; } void cref(const int &q) {} Rec make(int v) { Rec w; w.f = v; "
    "return w; }\n";

struct sample {
    struct arena arena;
    struct interner names;
    struct document document;
    struct diag diag;
    const char *prelude;                             /* or NULL */
    uint32_t lines[PART_COUNT], columns[PART_COUNT]; /* where the texts begin */
};

static inline void sample_open(struct sample *sample, const char *prelude) {
    *sample = (struct sample){.prelude = prelude};
    arena_init(&sample->arena);
    interner_init(&sample->names, &sample->arena);
    diag_init(&sample->diag, &sample->arena, NULL);
}

static inline void sample_close(struct sample *sample) { arena_close(&sample->arena); }

/* Each text starts behind its tag on a line of its own. */
static inline void sample_add(struct sample *sample, struct buffer *xml, enum part part,
                              const char *tag, const char *text, const char *end) {
    uint32_t line = 1;
    for (size_t i = 0; i < xml->size; i++) line += xml->data[i] == '\n';
    if (part == PART_GLOBAL && sample->prelude) {
        buffer_printf(xml, "%s<![CDATA[%s%s]]>%s\n", tag, sample->prelude, text, end);
        for (const char *c = sample->prelude; *c; c++) line += *c == '\n';
        sample->columns[part] = 1;
    } else {
        buffer_printf(xml, "%s<![CDATA[%s]]>%s\n", tag, text, end);
        sample->columns[part] = (uint32_t)(strlen(tag) + strlen("<![CDATA[") + 1);
    }
    sample->lines[part] = line;
}

static inline void sample_add_label(struct sample *sample, struct buffer *xml,
                                    const char *const *texts, enum part part, const char *kind) {
    if (texts[part])
        sample_add(sample, xml, part, arena_printf(&sample->arena, "<label kind=\"%s\">", kind),
                   texts[part], "</label>");
}

static inline struct buffer sample_build(struct sample *sample, const char *const *texts) {
    struct buffer xml = {0};
    const char *text[PART_COUNT];
    for (int i = 0; i < PART_COUNT; i++) text[i] = texts[i] ? texts[i] : "";
    buffer_add_text(&xml, "<nta>");
    sample_add(sample, &xml, PART_GLOBAL, "<declaration>", text[PART_GLOBAL], "</declaration>");
    buffer_add_text(&xml, "<template><name>P</name>\n");
    sample_add(sample, &xml, PART_PARAMETER, "<parameter>", text[PART_PARAMETER], "</parameter>");
    sample_add(sample, &xml, PART_LOCAL, "<declaration>", text[PART_LOCAL], "</declaration>");
    buffer_add_text(&xml, "<location id=\"i\"><name>A</name></location>\n");
    sample_add(sample, &xml, PART_INVARIANT,
               "<location id=\"j\"><name>B</name><label kind=\"invariant\">",
               texts[PART_INVARIANT] ? texts[PART_INVARIANT] : "true", "</label></location>");
    buffer_add_text(&xml, "<init ref=\"i\"/>"
                          "<transition><source ref=\"i\"/><target ref=\"j\"/>\n");
    sample_add_label(sample, &xml, texts, PART_SELECT, "select");
    sample_add_label(sample, &xml, texts, PART_GUARD, "guard");
    sample_add_label(sample, &xml, texts, PART_SYNC, "synchronisation");
    sample_add_label(sample, &xml, texts, PART_UPDATE, "assignment");
    buffer_add_text(&xml, "</transition></template>\n");
    sample_add(sample, &xml, PART_SYSTEM, "<system>",
               texts[PART_SYSTEM] ? texts[PART_SYSTEM] : "system P;", "</system>");
    if (texts[PART_QUERY])
        sample_add(sample, &xml, PART_QUERY, "<queries><query><formula>", texts[PART_QUERY],
                   "</formula><comment/></query></queries>");
    buffer_add_text(&xml, "</nta>");
    return xml;
}

/* Parses and, if that went well, checks; diagnostics are sorted. */
static inline struct model *sample_check(struct sample *sample, const char *const *texts) {
    struct buffer xml = sample_build(sample, texts);
    struct str bytes = {xml.data, xml.size};
    bool is_read = document_parse(&sample->document, &sample->arena, &sample->names, "model.xml",
                                  bytes, &sample->diag);
    ck_assert(is_read);
    struct model *model =
        model_parse(&sample->arena, &sample->names, &sample->document, &sample->diag);
    if (!sample->diag.error_count) {
        bool is_fine = model_check(model);
        ck_assert(is_fine == !sample->diag.error_count);
    }
    diag_sort(&sample->diag);
    buffer_close(&xml);
    return model;
}

/* A model and what is expected of it: nothing, or a message that begins so, at that column (from
 * 1) of that part. */
struct row {
    const char *text[PART_COUNT];
    enum part part;
    uint32_t column;
    const char *message;
};

#define AT(where, at) .part = PART_##where, .column = at, .message

static inline const char *row_text(struct sample *sample, const struct row *row) {
    const char *text = "";
    for (int i = 0; i < PART_COUNT; i++)
        if (row->text[i]) text = arena_printf(&sample->arena, "%s  %s", text, row->text[i]);
    return text;
}

static inline void row_expect(struct sample *sample, const struct row *row,
                              const struct diagnostic *item) {
    struct source_location place = source_locate(&sample->document.source, item->at);
    ck_assert_msg(!strncmp(item->message, row->message, strlen(row->message)), "%s: %s",
                  row_text(sample, row), item->message);
    ck_assert_msg(place.line == sample->lines[row->part], "%s: line %u", row_text(sample, row),
                  place.line);
    ck_assert_msg(place.column == sample->columns[row->part] + row->column - 1, "%s: column %u",
                  row_text(sample, row), place.column - sample->columns[row->part] + 1);
}

/* The first of the errors, or of the warnings. */
static inline const struct diagnostic *sample_first(const struct sample *sample, bool is_error) {
    for (uint32_t i = 0; i < sample->diag.items.count; i++)
        if ((sample->diag.items.items[i].status != STATUS_DONE) == is_error)
            return &sample->diag.items.items[i];
    return NULL;
}

static inline void row_accept(struct sample *sample, const struct row *row) {
    const struct model *model = sample_check(sample, row->text);
    ck_assert_msg(!sample->diag.items.count, "%s: %s", row_text(sample, row),
                  sample->diag.items.items[0].message);
    for (uint32_t i = 0; i < model->query_count; i++)
        ck_assert_int_ne(model->queries[i].quantifier, QUERY_INVALID);
}

static inline void row_refuse(struct sample *sample, const struct row *row, enum status status) {
    sample_check(sample, row->text);
    ck_assert_msg(sample->diag.error_count, "%s: accepted", row_text(sample, row));
    ck_assert_int_eq(sample->diag.status, status);
    row_expect(sample, row, sample_first(sample, true));
}

static inline void row_warn(struct sample *sample, const struct row *row) {
    const struct model *model = sample_check(sample, row->text);
    ck_assert_msg(!sample->diag.error_count, "%s: refused", row_text(sample, row));
    ck_assert_msg(sample->diag.warning_count, "%s: silent", row_text(sample, row));
    row_expect(sample, row, sample_first(sample, false));
    for (uint32_t i = 0; i < model->query_count; i++) {
        ck_assert_int_eq(model->queries[i].quantifier, QUERY_INVALID);
        ck_assert_ptr_nonnull(model->queries[i].problem);
    }
}
