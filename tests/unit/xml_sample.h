/* XML_SAMPLE - random documents in every encoding, with the place of each character worked out
 * from how the document was written rather than from reading it. */
#pragma once

#include "base/str.h"

#include <stdlib.h>
#include <string.h>

enum form {
    FORM_UTF8,
    FORM_UTF8_BOM,
    FORM_UTF8_ALIAS, /* declared as "utf8" */
    FORM_UTF16_LE,
    FORM_UTF16_BE,
    FORM_UTF16_LE_BARE, /* without a byte order mark */
    FORM_UTF16_BE_BARE,
    FORM_LATIN1,
    FORM_LATIN9,
    FORM_WINDOWS,
    FORM_COUNT
};

struct sample_place {
    uint32_t line, column;
    size_t byte;
};

struct sample {
    enum form form;
    struct buffer bytes;
    uint32_t line, column;
    char last;               /* character written last, if it is ASCII */
    struct buffer text;      /* what the text under test decodes to */
    struct sample_place *at; /* of each byte of text and of its end */
    size_t label_begin, label_end;
    bool is_plain;
    uint32_t random;
};

static inline uint32_t sample_random(struct sample *sample, uint32_t below) {
    sample->random = sample->random * 1664525u + 1013904223u;
    return (sample->random >> 8) % below;
}

static inline void sample_unit(struct sample *sample, uint32_t unit) {
    char low = (char)(unit & 0xFF), high = (char)(unit >> 8);
    char pair[2] = {low, high};
    if (sample->form == FORM_UTF16_BE || sample->form == FORM_UTF16_BE_BARE)
        pair[0] = high, pair[1] = low;
    bool is_wide = sample->form >= FORM_UTF16_LE && sample->form <= FORM_UTF16_BE_BARE;
    buffer_add(&sample->bytes, pair, is_wide ? 2 : 1);
}

/* Writes one character, whose UTF-8 form is given. */
static inline void sample_character(struct sample *sample, uint32_t point, const char *utf8,
                                    size_t size) {
    if (sample->form <= FORM_UTF8_ALIAS) {
        buffer_add(&sample->bytes, utf8, size);
    } else if (sample->form <= FORM_UTF16_BE_BARE) {
        if (point >= 0x10000) {
            sample_unit(sample, 0xD800 + ((point - 0x10000) >> 10));
            point = 0xDC00 + ((point - 0x10000) & 0x3FF);
        }
        sample_unit(sample, point);
    } else {
        if (point == 0x20AC) point = sample->form == FORM_WINDOWS ? 0x80 : 0xA4;
        sample_unit(sample, point);
    }
    bool is_second = point == '\n' && sample->last == '\r';
    if (point == '\n' || point == '\r') {
        sample->line += !is_second;
        sample->column = 1;
    } else {
        sample->column++;
    }
    sample->last = point < 0x80 ? (char)point : 0;
}

static inline void sample_write(struct sample *sample, const char *utf8) {
    while (*utf8) {
        const unsigned char *byte = (const unsigned char *)utf8;
        size_t size = byte[0] < 0x80 ? 1 : byte[0] < 0xE0 ? 2 : byte[0] < 0xF0 ? 3 : 4;
        static const unsigned char mask[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
        uint32_t point = byte[0] & mask[size];
        for (size_t i = 1; i < size; i++) point = point << 6 | (byte[i] & 0x3F);
        sample_character(sample, point, utf8, size);
        utf8 += size;
    }
}

/* Writes raw markup that stands for the given text, all of it at the place where raw begins. */
static inline void sample_text(struct sample *sample, const char *raw, const char *text) {
    size_t size = strlen(text);
    sample->at = heap_resize(sample->at, sample->text.size + size + 1, sizeof *sample->at);
    for (size_t i = 0; i <= size; i++)
        sample->at[sample->text.size + i] =
            (struct sample_place){sample->line, sample->column, sample->bytes.size};
    buffer_add(&sample->text, text, size);
    sample_write(sample, raw);
    sample->at[sample->text.size] =
        (struct sample_place){sample->line, sample->column, sample->bytes.size};
}

/* A few characters of any kind that a text may hold. */
static inline void sample_atom(struct sample *sample, bool *is_cdata) {
    static const struct {
        const char *raw, *text;
    } references[] = {{"&lt;", "<"},   {"&amp;", "&"},
                      {"&gt;", ">"},   {"&#xE9;", "\303\251"},
                      {"&#10;", "\n"}, {"&#x20AC;", "\342\202\254"},
                      {"&#13;", "\r"}, {"&entity;", "x < \303\251"}};
    const char last = sample->last;
    uint32_t kind = sample_random(sample, 16);
    if (kind == 0 && last != '\r') sample_text(sample, "\n", "\n");
    if (kind == 1) sample_text(sample, "\r\n", "\n");
    if (kind == 2) sample_text(sample, "\r", "\n");
    if (kind == 3) sample_text(sample, "\303\251", "\303\251");
    if (kind == 4 && sample->form != FORM_LATIN1)
        sample_text(sample, "\342\202\254", "\342\202\254");
    if (kind == 5 && sample->form < FORM_LATIN1)
        sample_text(sample, "\360\235\204\236", "\360\235\204\236");
    if (kind == 6 && sample_random(sample, 3) == 0) {
        sample_text(sample, *is_cdata ? "]]>" : "<![CDATA[", "");
        *is_cdata = !*is_cdata;
    }
    if (kind == 7) sample_text(sample, "]", "]");
    if (kind == 8 && last != ']') sample_text(sample, ">", ">");
    if (kind == 9 && *is_cdata) sample_text(sample, "&", "&");
    if (kind == 10 || kind == 11) {
        uint32_t i = sample_random(sample, sizeof references / sizeof references[0]);
        if (*is_cdata) return;
        sample_text(sample, references[i].raw, references[i].text);
        if (references[i].raw[1] == 'e') sample->is_plain = false;
    }
    static const char *const letters[] = {"a", " ", "+", "Z"};
    const char *letter = letters[sample_random(sample, 4)];
    if (kind > 11) sample_text(sample, letter, letter);
}

static inline void sample_begin(struct sample *sample, enum form form) {
    static const char *const names[] = {"utf-8",       "UTF-8",       "utf8",   "UTF-16",
                                        "UTF-16",      "UTF-16",      "UTF-16", "ISO-8859-1",
                                        "iso-8859-15", "Windows-1252"};
    if (form == FORM_UTF8_BOM) buffer_add(&sample->bytes, "\357\273\277", 3);
    if (form == FORM_UTF16_LE) buffer_add(&sample->bytes, "\377\376", 2);
    if (form == FORM_UTF16_BE) buffer_add(&sample->bytes, "\376\377", 2);
    sample_write(sample, "<?xml version=\"1.0\" encoding=\"");
    sample_write(sample, names[form]);
    sample_write(sample,
                 "\"?>\r\n<!DOCTYPE nta [<!ENTITY entity \"x &#38;lt; &#xE9;\">]>\r\n<nta>");
}

/* A document whose global declaration is random and whose system declaration is "system P;". */
static inline void sample_make(struct sample *sample, enum form form, uint32_t seed) {
    *sample = (struct sample){.form = form, .line = 1, .column = 1, .random = seed * 2654435761u};
    sample->is_plain = true;
    sample_begin(sample, form);
    sample_write(sample, "\303\251 <declaration>");
    sample->label_begin = sample->bytes.size;
    sample->last = 0;
    sample_text(sample, "", "");
    bool is_cdata = false;
    uint32_t count = sample_random(sample, 24);
    for (uint32_t i = 0; i < count; i++) sample_atom(sample, &is_cdata);
    if (is_cdata) sample_text(sample, "]]>", "");
    sample->label_end = sample->bytes.size;
    sample_write(sample, "</declaration>\n<system>system P;</system></nta>");
}

static inline void sample_free(struct sample *sample) {
    buffer_close(&sample->bytes);
    buffer_close(&sample->text);
    free(sample->at);
}
