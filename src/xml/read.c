/* Elements and their places, from Expat's events. */
#define _POSIX_C_SOURCE 200809L
#define XML_DTD /* lets Expat's header declare its limits on entities */

#include "xml/read.h"

#include "base/map.h"
#include "xml/byte_map.h"
#include "xml/encoding.h"
#include "xml/schema.h"

#include <assert.h>
#include <expat.h>
#include <string.h>

enum {
    TEXT_RATIO = 4,           /* decoded text may be so many times the file ... */
    TEXT_EXTRA = 1024 * 1024, /* ... and this many bytes more */
    MERGE_SIZE = 4096,        /* longer pieces are not extended: places are found by counting */
    DEFAULTS_MAX = 32,        /* attribute declarations for one element */
    WARNINGS_MAX = 20
};

/* An open element that is part of the tree. */
struct open_element {
    struct element *element;
    const struct rule *rule;   /* NULL for the root */
    const struct rule *latest; /* of the child with the highest rank so far */
    uint64_t seen, late;       /* bits of the rules of children, and of those out of order */
};

struct reader {
    struct document *document;
    struct diag *diag;
    XML_Parser parser;
    struct open_element frames[DOCUMENT_MAX_DEPTH];
    uint32_t built;        /* frames in use */
    uint32_t depth;        /* open elements; more than built inside a skipped one */
    struct buffer text;    /* of the innermost frame */
    bool is_in_text;       /* between its start tag and the first child or comment */
    bool is_in_cdata;      /* in one that the file itself holds, not an entity */
    bool was_text_ignored; /* a warning was given for the innermost frame */
    uint32_t first_piece;  /* of the text */
    size_t run_end;        /* byte after the piece added last; 0 if it cannot be extended */
    size_t text_total, memory_before;
    struct map defaults; /* element name -> number of attribute declarations */
    bool is_stopped;
    bool is_utf8_alias; /* stopped because the encoding goes by a name that Expat does not know */
};

const char *shown(struct arena *arena, const char *name) {
    enum { LIMIT = 60 };
    size_t size = strnlen(name, LIMIT + 1);
    if (size <= LIMIT) return name;
    size = LIMIT - 3;
    while (size && ((unsigned char)name[size] & 0xC0) == 0x80) size--;
    return arena_printf(arena, "%.*s...", (int)size, name);
}

static const char *name_of(const struct reader *reader, const char *name) {
    return shown(reader->document->arena, name);
}

static struct source_location event_place(const struct reader *reader, size_t byte) {
    if (reader->document->byte_map) return byte_map_place(reader->document->byte_map, byte);
    return (struct source_location){(uint32_t)XML_GetCurrentLineNumber(reader->parser),
                                    (uint32_t)XML_GetCurrentColumnNumber(reader->parser) + 1};
}

static size_t event_byte(const struct reader *reader) {
    XML_Index byte = XML_GetCurrentByteIndex(reader->parser);
    return byte < 0 ? 0 : (size_t)byte;
}

static size_t event_size(const struct reader *reader) {
    return (size_t)XML_GetCurrentByteCount(reader->parser);
}

/* A new position for the place of the current event. */
static position event_position(struct reader *reader) {
    size_t byte = event_byte(reader);
    return source_add(&reader->document->source, 1, event_place(reader, byte), byte, NULL);
}

static void stop(struct reader *reader) {
    reader->is_stopped = true;
    XML_StopParser(reader->parser, XML_FALSE);
}

/* False. */
static bool stop_with(struct reader *reader, enum status status, const char *message) {
    diag_error(reader->diag, status, event_position(reader), "%s", message);
    stop(reader);
    return false;
}

/* Counts text and memory; false (and the end) if the file asks for too much. */
static bool may_add(struct reader *reader, size_t size) {
    const struct document *document = reader->document;
    reader->text_total += size;
    if (reader->text_total > TEXT_RATIO * document->bytes.size + TEXT_EXTRA)
        return stop_with(reader, STATUS_INVALID,
                         "entities expand to far more text than the file holds");
    size_t used = document->arena->used_size - reader->memory_before + reader->text.capacity;
    if (used > DOCUMENT_MAX_MEMORY)
        return stop_with(reader, STATUS_LIMIT,
                         "the model is too large: its elements need more than 1 GiB");
    return true;
}

static struct open_element *top(struct reader *reader) {
    return reader->built ? &reader->frames[reader->built - 1] : NULL;
}

static struct element *open_element(struct reader *reader) {
    assert(reader->built > 0);
    return reader->frames[reader->built - 1].element;
}

/* ---- text ---- */

static void text_begin(struct reader *reader) {
    assert(!reader->is_in_text);
    reader->text.size = 0;
    reader->is_in_text = true;
    reader->was_text_ignored = false;
    reader->first_piece = reader->document->source.pieces.count;
    reader->run_end = 0;
    open_element(reader)->text.is_plain = true;
}

/* The text ends where the current event begins. */
static void text_end(struct reader *reader) {
    assert(!reader->is_in_text || reader->built);
    if (!reader->is_in_text) return;
    struct document *document = reader->document;
    struct text *text = &open_element(reader)->text;
    char *content = arena_copy(document->arena, reader->text.data, reader->text.size);
    text->content = (struct str){content, reader->text.size};
    position end = event_position(reader);
    text->begin = end - (position)reader->text.size;
    for (uint32_t i = reader->first_piece; i + 1 < document->source.pieces.count; i++) {
        struct piece *piece = &document->source.pieces.items[i];
        if (piece->content) piece->content = content + (piece->begin - text->begin);
    }
    reader->is_in_text = false;
}

/* Whether a reference stands for one character: &#...; or one of the five that XML defines. */
static bool is_character_reference(const struct document *document, size_t byte) {
    static const char *const names[] = {"#", "lt;", "gt;", "amp;", "quot;", "apos;"};
    size_t unit = encoding_unit(document);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t k = 0;
        while (names[i][k] &&
               encoding_unit_at(document, byte + (k + 1) * unit) == (unsigned char)names[i][k])
            k++;
        if (!names[i][k]) return true;
    }
    return false;
}

/* Adds text that takes the given bytes of the file, all of one origin. */
static void text_add_run(struct reader *reader, const char *bytes, size_t size, size_t byte,
                         size_t file_size, bool is_reference) {
    struct source *source = &reader->document->source;
    const struct piece *last =
        reader->run_end ? &source->pieces.items[source->pieces.count - 1] : NULL;
    if (last && !is_reference && byte == reader->run_end && source->next - last->begin < MERGE_SIZE)
        source_extend(source, size);
    else /* any content that is not NULL: text_end sets it */
        source_add(source, size, event_place(reader, byte), byte, is_reference ? NULL : "");
    source->pieces.items[source->pieces.count - 1].is_cdata = reader->is_in_cdata;
    bool is_line_end = bytes[size - 1] == '\n';
    reader->run_end = is_reference || is_line_end ? 0 : byte + file_size;
    buffer_add(&reader->text, bytes, size);
}

/* How many of the bytes of text, at least one character, come from the file bytes before an
 * end. */
static size_t text_before(const struct document *document, const char *bytes, size_t size,
                          size_t room) {
    const char *at = bytes;
    for (size_t used = 0; at < bytes + size && used < room;) {
        const char *from = at;
        utf8_next(&at, bytes + size);
        used += encoding_file_size(document, from, (size_t)(at - from));
    }
    return (size_t)(at - bytes);
}

static void text_add(struct reader *reader, const char *bytes, size_t size) {
    struct document *document = reader->document;
    struct source *source = &document->source;
    size_t byte = event_byte(reader), event_end = byte + event_size(reader), end = SIZE_MAX;
    bool is_reference = !reader->is_in_cdata && encoding_unit_at(document, byte) == '&';
    if (is_reference && !is_character_reference(document, byte))
        open_element(reader)->text.is_plain = false;
    while (document->byte_map && size) {
        const struct byte_run *run = byte_map_find(document->byte_map, byte, &end);
        if (run->begin == byte) reader->run_end = 0;
        if (end >= event_end || is_reference) end = event_end;
        size_t part = end < event_end ? text_before(document, bytes, size, end - byte) : size;
        text_add_run(reader, bytes, part, byte, end - byte, is_reference);
        source->pieces.items[source->pieces.count - 1].is_inserted = !run->is_copied;
        bytes += part;
        size -= part;
        byte = end;
    }
    if (size) text_add_run(reader, bytes, size, byte, event_end - byte, is_reference);
}

static void on_text(void *context, const XML_Char *bytes, int size) {
    struct reader *reader = context;
    if (reader->is_stopped || size <= 0 || !may_add(reader, (size_t)size)) return;
    struct open_element *frame = top(reader);
    if (!frame || reader->depth > reader->built || !frame->rule || !frame->rule->has_text) return;
    if (reader->is_in_text) {
        text_add(reader, bytes, (size_t)size);
        return;
    }
    if (reader->was_text_ignored || str_is_blank((struct str){bytes, (size_t)size})) return;
    reader->was_text_ignored = true;
    if (reader->diag->warning_count < WARNINGS_MAX)
        diag_warning(reader->diag, event_position(reader),
                     "Uppaal ignores the text after an XML comment, instruction or element in <%s>",
                     frame->element->name);
}

/* Whether the current event comes from inside an entity; if so, that is the end. Such markup has
 * no bytes of its own that could be replaced. */
static bool refuse_entity(struct reader *reader) {
    if (encoding_unit_at(reader->document, event_byte(reader)) != '&') return false;
    stop_with(reader, STATUS_UNSUPPORTED,
              "an XML entity that contains elements or comments is not supported; write it out");
    return true;
}

static void on_comment(void *context, const XML_Char *content) {
    struct reader *reader = context;
    (void)content;
    if (reader->is_stopped || reader->depth > reader->built || !reader->is_in_text) return;
    if (!refuse_entity(reader)) text_end(reader);
}

static void on_instruction(void *context, const XML_Char *target, const XML_Char *content) {
    (void)target;
    on_comment(context, content);
}

static void on_cdata_begin(void *context) {
    struct reader *reader = context;
    reader->is_in_cdata = encoding_unit_at(reader->document, event_byte(reader)) != '&';
}

static void on_cdata_end(void *context) {
    struct reader *reader = context;
    reader->is_in_cdata = false;
}

/* ---- elements ---- */

static void check_unknown(struct reader *reader, const struct open_element *parent,
                          const char *name) {
    const char *parent_name = parent->element->name;
    if (!strcmp(name, "edge") && !strcmp(parent_name, "template"))
        diag_error(reader->diag, STATUS_INVALID, event_position(reader),
                   "Uppaal does not read <edge>; write <transition>");
    else if (schema_is_known(name))
        diag_error(reader->diag, STATUS_INVALID, event_position(reader),
                   "<%s> does not belong in <%s>", name, parent_name);
}

/* Reports a child at a place where Uppaal's reader would not look for it. */
static void check_order(struct reader *reader, struct open_element *parent, const struct rule *rule,
                        position at) {
    assert(rule);
    if (!strcmp(rule->name, "imports"))
        diag_error(reader->diag, STATUS_INVALID, at,
                   "Uppaal does not read models with <imports>; remove it");
    uint64_t bit = schema_bit(rule);
    if (parent->latest && rule->rank < parent->latest->rank) {
        if (!(parent->late & bit))
            diag_error(reader->diag, STATUS_INVALID, at, "<%s> must come before <%s>", rule->name,
                       parent->latest->name);
        parent->late |= bit;
    } else {
        parent->latest = rule;
    }
    if (rule->is_single && (parent->seen & bit))
        diag_error(reader->diag, STATUS_INVALID, at, "second <%s> in <%s>", rule->name,
                   parent->element->name);
    parent->seen |= bit;
}

static bool read_attributes(struct reader *reader, struct element *element, const XML_Char **list) {
    struct document *document = reader->document;
    uint32_t count = 0;
    while (list[2 * (size_t)count]) count++;
    element->attributes = ARENA_ARRAY(document->arena, struct attribute, count);
    for (uint32_t i = 0; i < count; i++) {
        const char *name = list[2 * (size_t)i], *value = list[2 * (size_t)i + 1];
        size_t size = strlen(value);
        if (!may_add(reader, size)) return false;
        element->attributes[i] = (struct attribute){
            intern_text(document->names, name), {arena_copy(document->arena, value, size), size}};
    }
    element->attribute_count = count;
    return true;
}

static void push(struct reader *reader, const char *name, const struct rule *rule,
                 const XML_Char **attributes) {
    assert(reader->built < DOCUMENT_MAX_DEPTH && !reader->is_in_text);
    struct document *document = reader->document;
    struct open_element *parent = top(reader);
    if (!may_add(reader, 0)) return;
    struct element *element = ARENA_NEW(document->arena, struct element);
    element->name = intern_text(document->names, name);
    element->at = event_position(reader);
    element->begin = event_byte(reader);
    element->content_begin = element->begin + event_size(reader);
    element->text = (struct text){{"", 0}, element->at, false};
    if (!read_attributes(reader, element, attributes)) return;
    if (parent) {
        check_order(reader, parent, rule, element->at);
        element->parent = parent->element;
        if (parent->element->last_child)
            parent->element->last_child->next = element;
        else
            parent->element->first_child = element;
        parent->element->last_child = element;
    } else {
        document->root = element;
    }
    reader->frames[reader->built++] = (struct open_element){.element = element, .rule = rule};
    if (rule && rule->has_text) text_begin(reader);
}

static void on_root(struct reader *reader, const char *name, const XML_Char **attributes) {
    if (!strcmp(name, "nta") || !strcmp(name, "project")) {
        push(reader, name, NULL, attributes);
        return;
    }
    diag_error(reader->diag, STATUS_INVALID, event_position(reader),
               "the root element is <%s>; an Uppaal model has <nta>", name_of(reader, name));
    stop(reader);
}

static void on_start(void *context, const XML_Char *name, const XML_Char **attributes) {
    struct reader *reader = context;
    if (reader->is_stopped) return;
    if (reader->depth == DOCUMENT_MAX_DEPTH) {
        stop_with(reader, STATUS_INVALID, "elements nest too deeply for an Uppaal model");
        return;
    }
    bool is_skipped = reader->depth++ > reader->built;
    if (is_skipped) return;
    if (refuse_entity(reader)) return;
    text_end(reader);
    const struct open_element *parent = top(reader);
    if (parent && parent->rule && !parent->rule->has_children) return;
    if (!parent) {
        on_root(reader, name, attributes);
        return;
    }
    const struct rule *rule = schema_find(parent->element->name, name);
    if (rule)
        push(reader, name, rule, attributes);
    else
        check_unknown(reader, parent, name);
}

static void on_end(void *context, const XML_Char *name) {
    struct reader *reader = context;
    (void)name;
    if (reader->is_stopped || reader->depth-- > reader->built) return;
    text_end(reader);
    assert(reader->depth + 1 == reader->built);
    struct element *element = open_element(reader);
    size_t size = event_size(reader); /* 0 after an empty tag */
    element->is_empty_tag = size == 0;
    element->content_end = event_byte(reader);
    element->end = element->content_end + size;
    assert(element->content_begin <= element->content_end);
    reader->built--;
}

/* ---- prolog ---- */

static void on_declaration(void *context, const XML_Char *version, const XML_Char *encoding,
                           int standalone) {
    struct reader *reader = context;
    (void)version, (void)standalone;
    if (encoding && encoding_unit(reader->document) == 1)
        reader->document->is_single_byte = encoding_is_single_byte(encoding);
}

static int on_encoding(void *context, const XML_Char *name, XML_Encoding *encoding) {
    struct reader *reader = context;
    *encoding = (XML_Encoding){.data = NULL};
    if (encoding_table(name, encoding->map)) return XML_STATUS_OK;
    if (encoding_is_utf8_alias(name))
        reader->is_utf8_alias = true;
    else
        diag_error(reader->diag, STATUS_INVALID, event_position(reader),
                   "encoding '%s' is not supported; save the file as UTF-8", name_of(reader, name));
    reader->is_stopped = true;
    return XML_STATUS_ERROR;
}

static int on_external_entity(XML_Parser parser, const XML_Char *open, const XML_Char *base,
                              const XML_Char *system, const XML_Char *public) {
    struct reader *reader = XML_GetUserData(parser);
    (void)open, (void)base, (void)system, (void)public;
    diag_error(reader->diag, STATUS_INVALID, event_position(reader),
               "external XML entities are not read; write their text out");
    reader->is_stopped = true;
    return XML_STATUS_ERROR;
}

static void on_skipped_entity(void *context, const XML_Char *name, int is_parameter) {
    struct reader *reader = context;
    if (reader->is_stopped || is_parameter) return;
    diag_error(reader->diag, STATUS_INVALID, event_position(reader),
               "the XML entity '%s' is not declared", name_of(reader, name));
    stop(reader);
}

/* Expat walks through all declared attributes of an element at each of its start tags. */
static void on_attribute_declaration(void *context, const XML_Char *element, const XML_Char *name,
                                     const XML_Char *type, const XML_Char *value, int is_required) {
    struct reader *reader = context;
    (void)name, (void)type, (void)value, (void)is_required;
    if (reader->is_stopped) return;
    uint64_t key = map_key(intern_text(reader->document->names, element));
    uint32_t *count = map_get(&reader->defaults, key);
    if (!count) {
        count = ARENA_NEW(reader->document->arena, uint32_t);
        map_put(&reader->defaults, key, count);
    }
    if (++*count > DEFAULTS_MAX)
        stop_with(reader, STATUS_INVALID, "too many attribute declarations for one XML element");
}

/* ---- the whole ---- */

/* A hint about a character that XML does not allow where it stands. */
static const char *token_hint(const struct reader *reader) {
    const struct document *document = reader->document;
    size_t byte = event_byte(reader), unit = encoding_unit(document);
    uint32_t now = encoding_unit_at(document, byte);
    uint32_t last = byte >= unit ? encoding_unit_at(document, byte - unit) : 0;
    if (last == '<' || now == '<') return "'<' is written &lt; in text";
    if (last == '&') return "'&' is written &amp; in text";
    if (now >= 0x80 && unit == 1)
        return "not a character of the encoding of this file: save it as UTF-8, or name its "
               "encoding in the "
               "first line, as encoding=\"ISO-8859-1\"";
    if (now < 0x20) return "control characters are not allowed";
    return "unexpected character";
}

static const char *syntax_message(const struct reader *reader, enum XML_Error code) {
    bool is_known = reader->built && reader->depth == reader->built;
    const char *inner = reader->built ? reader->frames[reader->built - 1].element->name : "";
    switch (code) {
    case XML_ERROR_INVALID_TOKEN: return token_hint(reader);
    case XML_ERROR_TAG_MISMATCH:
        return is_known
                   ? arena_printf(reader->document->arena, "this is not the end of <%s>", inner)
                   : "this end tag does not match its start ('<' is written &lt; in text)";
    default: return XML_ErrorString(code);
    }
}

static void report_syntax(struct reader *reader) {
    static const char advice[] = "; save the model as .xml in Uppaal";
    enum XML_Error code = XML_GetErrorCode(reader->parser);
    struct diag *diag = reader->diag;
    position at = event_position(reader);
    switch (code) {
    case XML_ERROR_NO_MEMORY: memory_is_over();
    case XML_ERROR_AMPLIFICATION_LIMIT_BREACH:
        diag_error(diag, STATUS_INVALID, at,
                   "entities expand to far more text than the file holds");
        return;
    case XML_ERROR_NO_ELEMENTS:
    case XML_ERROR_UNCLOSED_TOKEN:
    case XML_ERROR_UNCLOSED_CDATA_SECTION:
    case XML_ERROR_PARTIAL_CHAR:
        if (reader->built)
            diag_error(diag, STATUS_INVALID, at, "the file is truncated: it ends inside <%s>",
                       open_element(reader)->name);
        else
            diag_error(diag, STATUS_INVALID, at, "not an XML file: no element found%s", advice);
        return;
    case XML_ERROR_INCORRECT_ENCODING:
        diag_error(diag, STATUS_INVALID, at,
                   "the file is not in the encoding that its first line names; correct that");
        return;
    default:
        diag_error(diag, STATUS_INVALID, at, "%s: %s%s",
                   reader->document->root ? "not well-formed XML" : "not an XML file",
                   syntax_message(reader, code), reader->document->root ? "" : advice);
    }
}

static void set_handlers(struct reader *reader) {
    XML_Parser parser = reader->parser;
    XML_SetUserData(parser, reader);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetCharacterDataHandler(parser, on_text);
    XML_SetCommentHandler(parser, on_comment);
    XML_SetProcessingInstructionHandler(parser, on_instruction);
    XML_SetCdataSectionHandler(parser, on_cdata_begin, on_cdata_end);
    XML_SetXmlDeclHandler(parser, on_declaration);
    XML_SetUnknownEncodingHandler(parser, on_encoding, reader);
    XML_SetParamEntityParsing(parser, XML_PARAM_ENTITY_PARSING_NEVER);
    XML_SetExternalEntityRefHandler(parser, on_external_entity);
    XML_SetSkippedEntityHandler(parser, on_skipped_entity);
    XML_SetAttlistDeclHandler(parser, on_attribute_declaration);
    XML_SetBillionLaughsAttackProtectionMaximumAmplification(parser, TEXT_RATIO);
    XML_SetBillionLaughsAttackProtectionActivationThreshold(parser, TEXT_EXTRA);
}

/* Parses the bytes; an encoding that is not NULL overrides what the file says. */
static bool run(struct reader *reader, const char *encoding) {
    const struct str bytes = reader->document->bytes;
    reader->is_stopped = reader->is_utf8_alias = false;
    reader->parser = XML_ParserCreate(encoding);
    if (!reader->parser) memory_is_over();
    set_handlers(reader);
    enum XML_Status status = XML_Parse(reader->parser, bytes.data, (int)bytes.size, XML_TRUE);
    bool is_read = status == XML_STATUS_OK && !reader->is_stopped;
    if (!is_read && !reader->is_stopped) report_syntax(reader);
    XML_ParserFree(reader->parser);
    return is_read;
}

bool read_elements(struct document *document, struct diag *diag) {
    assert(document->bytes.size <= DOCUMENT_MAX_BYTES);
    document->encoding = encoding_guess(document->bytes);
    struct reader reader = {.document = document, .diag = diag};
    reader.memory_before = document->arena->used_size;
    map_init(&reader.defaults, document->arena);
    bool is_read = run(&reader, NULL);
    if (reader.is_utf8_alias) is_read = run(&reader, "UTF-8");
    buffer_close(&reader.text);
    return is_read && document->root;
}
