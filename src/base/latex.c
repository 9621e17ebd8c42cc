#include "base/latex.h"

#include <stddef.h>

/* What stands for a character that means something to LaTeX, that is joined with its like, or that
 * its old fonts do not have; NULL for all others. */
static const char *escape_of(unsigned char c) {
    static const struct {
        char from;
        const char *to;
    } escapes[] = {{'\\', "\\textbackslash{}"},
                   {'~', "\\textasciitilde{}"},
                   {'^', "\\textasciicircum{}"},
                   {'<', "$<$"},
                   {'>', "$>$"},
                   {'|', "$|$"},
                   {'"', "''"},
                   {'-', "{-}"},
                   {',', "{,}"},
                   {'`', "{`}"},
                   {'{', "\\{"},
                   {'}', "\\}"},
                   {'$', "$\\mathdollar$"},
                   {'&', "\\&"},
                   {'#', "\\#"},
                   {'%', "\\%"},
                   {'_', "\\_"},
                   {'[', "{[}"},
                   {']', "{]}"}};
    if (c < ' ' || c == 0x7F) return " ";
    for (size_t i = 0; i < sizeof escapes / sizeof escapes[0]; i++)
        if (escapes[i].from == (char)c) return escapes[i].to;
    return NULL;
}

/* The character at the beginning of the text, whose bytes go to *size; what is not UTF-8 is a byte
 * by itself. */
static uint32_t decode(struct str text, size_t *size) {
    const unsigned char *bytes = (const unsigned char *)text.data;
    size_t count = bytes[0] >= 0xF0 ? 4 : bytes[0] >= 0xE0 ? 3 : bytes[0] >= 0xC0 ? 2 : 1;
    uint32_t code = count == 1 ? bytes[0] : bytes[0] & (0xFFU >> (count + 1));
    *size = 1;
    if (count > text.size) return bytes[0];
    for (size_t i = 1; i < count; i++) {
        if ((bytes[i] & 0xC0) != 0x80) return bytes[0];
        code = code << 6 | (bytes[i] & 0x3F);
    }
    *size = count;
    return code;
}

/* A letter of Latin-1 that every font of LaTeX can make. */
static bool is_letter(uint32_t code) {
    bool is_other = code == 0xD0 || code == 0xD7 || code == 0xDE || code == 0xF0 || code == 0xF7 ||
                    code == 0xFE;
    return code >= 0xC0 && code <= 0xFF && !is_other;
}

void latex_escape(struct buffer *out, struct str text) {
    for (size_t i = 0, size; i < text.size; i += size) {
        uint32_t code = decode((struct str){text.data + i, text.size - i}, &size);
        const char *escape = code < 0x80 ? escape_of((unsigned char)code) : NULL;
        if (escape)
            buffer_add_text(out, escape);
        else if (code < 0x80 || (is_letter(code) && size > 1))
            buffer_add(out, text.data + i, size);
        else
            buffer_printf(out, "U+%04X", code);
    }
}
