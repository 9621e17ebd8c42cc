#include "manual/mdoc.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

enum { LINE_WIDTH = 78 };

struct excerpt {
    const char *data;
    size_t size;
};

/* What was begun and not ended. */
enum passage {
    BLOCK_NONE,
    BLOCK_PARAGRAPH,
    BLOCK_BULLETS,
    BLOCK_NUMBERS,
    BLOCK_LITERAL,
    BLOCK_TABLE
};

struct writer {
    FILE *file;
    size_t column; /* of the line of text; 0 = none was begun */
    bool is_code;
    enum passage block;
    bool has_content;      /* of the section */
    size_t blank_lines;    /* in a literal block, not written yet */
    struct excerpt header; /* the first row of a table */
    size_t rows;           /* of it so far */
};

static void write_char(FILE *file, char c) {
    static const char marks[] = "\\-`'\"";
    static const char *const escapes[] = {"\\e", "\\-", "\\(ga", "\\(aq", "\\(dq"};
    const char *mark = c ? strchr(marks, c) : NULL;
    if (mark)
        fputs(escapes[mark - marks], file);
    else
        fputc(c, file);
}

/* A line, or what begins one; nothing in it is taken for markup. */
static void write_plain(FILE *file, const char *text, size_t size) {
    if (size && *text == '.') fputs("\\&", file);
    for (size_t i = 0; i < size; i++) write_char(file, text[i]);
}

/* ---- text ---- */

/* The size of a link in a word, "[a](b)", and in *shown that of a; 0 if there is none here. */
static size_t link_size(const char *word, size_t size, size_t *shown) {
    if (*word != '[') return 0;
    for (size_t i = 1; i + 1 < size; i++) {
        if (word[i] != ']') continue;
        const char *end = word[i + 1] == '(' ? memchr(word + i, ')', size - i) : NULL;
        *shown = i - 1;
        return end ? (size_t)(end - word) + 1 : 0;
    }
    return 0;
}

/* A word with its marks for code and links. */
static void write_word(struct writer *writer, const char *word, size_t size) {
    if (*word == '.') fputs("\\&", writer->file);
    for (size_t i = 0; i < size;) {
        size_t shown = 0, link = writer->is_code ? 0 : link_size(word + i, size - i, &shown);
        if (link) {
            write_word(writer, word + i + 1, shown);
            i += link;
        } else if (word[i] == '`') {
            writer->is_code = !writer->is_code;
            fputs(writer->is_code ? "\\fB" : "\\fR", writer->file);
            i++;
        } else {
            i += word[i] == '\\' && i + 1 < size && word[i + 1] == '|'; /* in tables */
            write_char(writer->file, word[i]);
            if (i + 1 < size && word[i] == '(' && word[i + 1] == ')')
                fputs("\\&", writer->file); /* "f()" is the name of no function of C */
            i++;
        }
    }
}

/* How many characters it takes, at most. */
static size_t written_size(const char *word, size_t size) {
    size_t count = size;
    for (size_t i = 0; i < size; i++) count += strchr("\\-'\"`(", word[i]) ? 3 : 0;
    return count;
}

/* Whether a sentence ends with the word, as mdoc has it. */
static bool ends_sentence(const char *word, size_t size) {
    while (size && strchr(")\"'`", word[size - 1])) size--;
    bool is_ellipsis = size > 1 && word[size - 2] == '.';
    return size && strchr(".?!", word[size - 1]) && !is_ellipsis;
}

static void end_line(struct writer *writer) {
    if (writer->column) fputc('\n', writer->file);
    writer->column = 0;
}

/* Words, in lines that may have been begun. */
static void fill(struct writer *writer, const char *text, size_t size) {
    for (const char *end = text + size; text < end;) {
        size_t length = 0;
        while (text + length < end && text[length] != ' ' && text[length] != '\n') length++;
        if (length) {
            size_t written = written_size(text, length);
            if (writer->column + written > LINE_WIDTH) end_line(writer);
            if (writer->column) fputc(' ', writer->file);
            write_word(writer, text, length);
            writer->column += written + 1;
            if (ends_sentence(text, length)) end_line(writer);
        }
        text += length + 1;
    }
}

void mdoc_text(FILE *file, const char *text) {
    struct writer writer = {.file = file};
    fill(&writer, text, strlen(text));
    end_line(&writer);
    assert(!writer.is_code);
}

/* Short words might be macros. */
void mdoc_arguments(FILE *file, const char *text, size_t size) {
    struct writer writer = {.file = file};
    for (size_t i = 0, length; i < size; i += length + 1) {
        for (length = 0; i + length < size && text[i + length] != ' ';) length++;
        if (!length) continue;
        fputs(isupper((unsigned char)text[i]) && length < 4 ? " \\&" : " ", file);
        write_word(&writer, text + i, length);
    }
    assert(!writer.is_code);
}

void mdoc_literal(FILE *file, const char *text) {
    for (size_t size; *text; text += size + (text[size] == '\n')) {
        size = strcspn(text, "\n");
        write_plain(file, text, size);
        fputc('\n', file);
    }
}

/* ---- documents ---- */

static void close_block(struct writer *writer) {
    end_line(writer);
    if (writer->block == BLOCK_LITERAL)
        fputs(".Ed\n", writer->file);
    else if (writer->block > BLOCK_PARAGRAPH)
        fputs(".El\n", writer->file);
    writer->block = BLOCK_NONE;
    writer->blank_lines = 0;
    assert(!writer->is_code);
}

/* Goes on with a block, or begins one with that line. */
static void open_block(struct writer *writer, enum passage block, const char *begin) {
    if (writer->block == block) return;
    close_block(writer);
    if (block != BLOCK_PARAGRAPH || writer->has_content) fprintf(writer->file, "%s\n", begin);
    writer->block = block;
    writer->has_content = true;
    writer->rows = 0;
}

static void write_heading(struct writer *writer, const char *line, size_t size) {
    bool is_section = line[2] == ' ';
    size_t i = is_section ? 3 : 4;
    close_block(writer);
    fputs(is_section ? ".Sh " : ".Ss ", writer->file);
    for (; i < size; i++)
        fputc(is_section ? toupper((unsigned char)line[i]) : line[i], writer->file);
    fputc('\n', writer->file);
    writer->has_content = false;
}

static void write_code(struct writer *writer, const char *line, size_t size) {
    open_block(writer, BLOCK_LITERAL, ".Bd -literal -offset indent");
    for (; writer->blank_lines; writer->blank_lines--) fputc('\n', writer->file);
    write_plain(writer->file, line, size);
    fputc('\n', writer->file);
}

/* The next cell of a row without the blanks around it, from *at on, after a bar. */
static struct excerpt next_cell(struct excerpt row, size_t *at) {
    size_t begin = *at, end = begin;
    while (end < row.size && (row.data[end] != '|' || row.data[end - 1] == '\\')) end++;
    *at = end + 1;
    while (begin < end && row.data[begin] == ' ') begin++;
    while (end > begin && row.data[end - 1] == ' ') end--;
    return (struct excerpt){row.data + begin, end - begin};
}

/* After the first cell: what the header calls the others, if there are several, and they. */
static void write_cells(struct writer *writer, struct excerpt row) {
    size_t at = 1, header_at = 1, columns = 0;
    while (header_at < writer->header.size) {
        next_cell(writer->header, &header_at);
        columns++;
    }
    header_at = 1;
    next_cell(writer->header, &header_at);
    next_cell(row, &at);
    while (at < row.size) {
        struct excerpt name = next_cell(writer->header, &header_at), cell = next_cell(row, &at);
        if (columns > 2) {
            fill(writer, name.data, name.size);
            fputc(':', writer->file);
        }
        fill(writer, cell.data, cell.size);
        if (columns > 2 && at < row.size) fputc(';', writer->file);
    }
    end_line(writer);
}

static void write_row(struct writer *writer, struct excerpt row) {
    size_t at = 1;
    open_block(writer, BLOCK_TABLE, ".Bl -tag -width Ds");
    if (!writer->rows) writer->header = row;
    if (writer->rows++ < 2) return; /* the header, and the line below it */
    struct excerpt first = next_cell(row, &at);
    fputs(".It", writer->file);
    mdoc_arguments(writer->file, first.data, first.size);
    fputc('\n', writer->file);
    write_cells(writer, row);
}

static void write_item(struct writer *writer, enum passage block, const char *text, size_t size) {
    open_block(writer, block,
               block == BLOCK_BULLETS ? ".Bl -bullet -width Ds" : ".Bl -enum -width Ds");
    end_line(writer);
    fputs(".It\n", writer->file);
    fill(writer, text, size);
}

static void write_line(struct writer *writer, const char *line, size_t size) {
    bool is_list = writer->block == BLOCK_BULLETS || writer->block == BLOCK_NUMBERS;
    if (!size && writer->block == BLOCK_LITERAL) {
        writer->blank_lines++;
    } else if (!size) {
        close_block(writer);
    } else if (!strncmp(line, "##", 2)) {
        write_heading(writer, line, size);
    } else if (!strncmp(line, "    ", 4) && !is_list) {
        write_code(writer, line + 4, size - 4);
    } else if (!strncmp(line, "- ", 2)) {
        write_item(writer, BLOCK_BULLETS, line + 2, size - 2);
    } else if (isdigit((unsigned char)*line) && !strncmp(line + 1, ". ", 2)) {
        write_item(writer, BLOCK_NUMBERS, line + 3, size - 3);
    } else if (*line == '|') {
        write_row(writer, (struct excerpt){line, size});
    } else {
        if (!is_list) open_block(writer, BLOCK_PARAGRAPH, ".Pp");
        fill(writer, line, size);
    }
}

static void write_lines(FILE *file, const char *text, const char *end, bool has_content) {
    struct writer writer = {.file = file, .has_content = has_content};
    for (size_t size; text < end; text += size + 1) {
        size = strcspn(text, "\n");
        if (strncmp(text, "# ", 2) != 0) write_line(&writer, text, size);
    }
    close_block(&writer);
}

/* Where the first section begins. */
static const char *first_section(const char *markdown) {
    const char *section = strstr(markdown, "\n## ");
    return section ? section + 1 : markdown + strlen(markdown);
}

void mdoc_introduction(FILE *file, const char *markdown, bool is_after) {
    write_lines(file, markdown, first_section(markdown), is_after);
}

void mdoc_sections(FILE *file, const char *markdown) {
    const char *section = first_section(markdown);
    write_lines(file, section, section + strlen(section), false);
}
