#include "xml/encoding.h"

#include <assert.h>

enum encoding encoding_guess(struct str bytes) {
    if (bytes.size < 2) return ENCODING_ASCII_BASED;
    const unsigned char *byte = (const unsigned char *)bytes.data;
    if (byte[0] == 0xFF && byte[1] == 0xFE) return ENCODING_UTF16_LE;
    if (byte[0] == '<' && byte[1] == 0) return ENCODING_UTF16_LE;
    if (byte[0] == 0xFE && byte[1] == 0xFF) return ENCODING_UTF16_BE;
    return byte[0] ? ENCODING_ASCII_BASED : ENCODING_UTF16_BE;
}

size_t encoding_unit(const struct document *document) {
    return document->encoding == ENCODING_ASCII_BASED ? 1 : 2;
}

uint32_t encoding_unit_at(const struct document *document, size_t offset) {
    size_t unit = encoding_unit(document);
    if (offset + unit > document->bytes.size) return 0;
    const unsigned char *byte = (const unsigned char *)document->bytes.data + offset;
    if (unit == 1) return byte[0];
    return document->encoding == ENCODING_UTF16_LE ? byte[0] | (uint32_t)byte[1] << 8
                                                   : byte[1] | (uint32_t)byte[0] << 8;
}

size_t encoding_file_size(const struct document *document, const char *text, size_t size) {
    if (document->encoding == ENCODING_ASCII_BASED && !document->is_single_byte) return size;
    size_t unit = encoding_unit(document), units = 0;
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)text[i];
        if ((byte & 0xC0) != 0x80) units += unit == 2 && byte >= 0xF0 ? 2 : 1;
    }
    return units * unit;
}

size_t document_byte(const struct document *document, position at) {
    assert(at);
    const struct piece *piece = at ? source_piece(&document->source, at) : NULL;
    if (!piece) return 0;
    if (!piece->content) return piece->byte;
    return piece->byte + encoding_file_size(document, piece->content, at - piece->begin);
}

struct code_page {
    const char *names[3];
    uint8_t first, last;    /* bytes that differ from ISO-8859-1 lie between these */
    const uint16_t *points; /* 0 where the byte stands for no character */
};

static const uint16_t windows_1252[] = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

static const uint16_t iso_8859_15[] = {
    0x20AC, 0xA5, 0x0160, 0xA7, 0x0161, 0xA9, 0xAA,   0xAB, 0xAC, 0xAD, 0xAE,   0xAF,   0xB0,  0xB1,
    0xB2,   0xB3, 0x017D, 0xB5, 0xB6,   0xB7, 0x017E, 0xB9, 0xBA, 0xBB, 0x0152, 0x0153, 0x0178};

static const struct code_page code_pages[] = {
    {{"iso-8859-1", "latin1", "iso8859-1"}, 1, 0, NULL},
    {{"windows-1252", "cp1252", "cp-1252"}, 0x80, 0x9F, windows_1252},
    {{"iso-8859-15", "latin-9", "iso8859-15"}, 0xA4, 0xBE, iso_8859_15},
};

static bool is_same_name(const char *left, const char *right) {
    for (; *left && *right; left++, right++) {
        char c = *left;
        if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
        if (c != *right) return false;
    }
    return *left == *right;
}

static const struct code_page *code_page_find(const char *name) {
    for (size_t i = 0; i < sizeof code_pages / sizeof code_pages[0]; i++)
        for (size_t k = 0; k < 3; k++)
            if (is_same_name(name, code_pages[i].names[k])) return &code_pages[i];
    return NULL;
}

bool encoding_is_utf8_alias(const char *name) { return is_same_name(name, "utf8"); }

bool encoding_is_single_byte(const char *name) { return code_page_find(name) != NULL; }

bool encoding_table(const char *name, int points[256]) {
    const struct code_page *page = code_page_find(name);
    if (!page) return false;
    for (int i = 0; i < 256; i++) {
        points[i] = i;
        if (i < page->first || i > page->last) continue;
        uint16_t point = page->points[i - page->first];
        points[i] = point ? point : -1;
    }
    return true;
}

static int utf8_size(unsigned char first) {
    if (first < 0x80) return 1;
    if (first < 0xC2 || first > 0xF4) return 0;
    return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

uint32_t utf8_next(const char **text, const char *end) {
    const unsigned char *byte = (const unsigned char *)*text;
    size_t left = (size_t)(end - *text);
    size_t size = (size_t)utf8_size(byte[0]);
    *text += 1;
    if (!size || size > left) return 0xFFFD;
    static const unsigned char mask[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t point = byte[0] & mask[size];
    for (size_t i = 1; i < size; i++) {
        if ((byte[i] & 0xC0) != 0x80) return 0xFFFD;
        point = point << 6 | (byte[i] & 0x3F);
    }
    if (point < least[size] || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF))
        return 0xFFFD;
    *text += size - 1;
    return point;
}
