#include "plane/measure.h"

/* Hundredths of the font size for the characters from ' ' on: as wide as Arial, and the wider one
 * of that and DejaVu Sans, which stands in where there is nothing like Arial. */
static const unsigned char widths[] = {
    28, 28, 35, 56, 56, 89, 67, 19, 33,  33, 39, 58, 28, 33, 28, 28, 56, 56, 56, 56, 56, 56, 56, 56,
    56, 56, 28, 28, 58, 58, 58, 56, 102, 67, 67, 72, 72, 67, 61, 78, 72, 28, 50, 67, 56, 83, 72, 78,
    67, 78, 72, 67, 61, 72, 67, 94, 67,  67, 61, 28, 28, 28, 47, 56, 33, 56, 56, 50, 56, 56, 28, 56,
    56, 22, 22, 50, 22, 83, 56, 56, 56,  56, 33, 50, 28, 56, 50, 72, 50, 50, 50, 33, 26, 33, 58,
};
static const unsigned char most_widths[] = {
    32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 56, 102, 68, 69, 72, 77, 67, 61, 78, 75, 29, 50, 67, 56, 86, 75, 79,
    67, 79, 72, 67, 61, 73, 68, 99, 69,  67, 69, 39, 34, 39, 84, 56, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84,
};

static double width_by(const unsigned char table[], struct str line, double font_size) {
    double width = 0;
    for (size_t i = 0; i < line.size; i++) {
        unsigned char c = (unsigned char)line.data[i];
        bool is_ascii = c >= ' ' && c - ' ' < (int)sizeof widths;
        bool is_inner = c >= 0x80 && c < 0xc0; /* not the first byte of a character */
        if (!is_inner) width += is_ascii ? table[c - ' '] : c < 0xe1 ? 80 : 110;
    }
    return width * font_size / 100;
}

double text_width(struct str line, double font_size) { return width_by(widths, line, font_size); }

double text_most_width(struct str line, double font_size) {
    return width_by(most_widths, line, font_size);
}
