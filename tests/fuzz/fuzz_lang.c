/* Reads any texts as the texts of a model: parser, checker and network must
 * take them without harm, and what was printed of a valid model must be valid
 * and print the same again.
 *
 * The input is the texts in the order of enum part, with an '@' between two of
 * them; what is missing is empty. */
#include "load.h"

#include "../unit/print_statement.h"

enum part {
    PART_DECLARATION,
    PART_PARAMETER,
    PART_LOCAL,
    PART_INVARIANT,
    PART_SELECT,
    PART_GUARD,
    PART_SYNC,
    PART_UPDATE,
    PART_SYSTEM,
    PART_QUERY,
    PART_COUNT
};

#define LABEL(kind) "<label kind=\"" kind "\">"
#define LABEL_END "</label>"

/* What stands in front of each part, and behind the last. */
static const char before[PART_COUNT + 1][200] = {
    [PART_DECLARATION] = "<nta><declaration>",
    [PART_PARAMETER] = "</declaration><template><name>P</name><parameter>",
    [PART_LOCAL] = "</parameter><declaration>",
    [PART_INVARIANT] = "</declaration><location id=\"a\"><name>A</name>" LABEL("invariant"),
    [PART_SELECT] = LABEL_END
    "</location><location id=\"b\"><name>B</name></location>"
    "<init ref=\"a\"/><transition><source ref=\"a\"/><target ref=\"b\"/>" LABEL("select"),
    [PART_GUARD] = LABEL_END LABEL("guard"),
    [PART_SYNC] = LABEL_END LABEL("synchronisation"),
    [PART_UPDATE] = LABEL_END LABEL("assignment"),
    [PART_SYSTEM] = LABEL_END "</transition></template><system>",
    [PART_QUERY] = "</system><queries><query><formula>",
    [PART_COUNT] = "</formula><comment/></query></queries></nta>",
};

static void add_escaped(struct buffer *out, struct str text) {
    for (size_t i = 0; i < text.size; i++) switch (text.data[i]) {
        case '&': buffer_add_text(out, "&amp;"); break;
        case '<': buffer_add_text(out, "&lt;"); break;
        case '>': buffer_add_text(out, "&gt;"); break;
        default: buffer_add(out, text.data + i, 1);
        }
}

/* Close it with load_close. */
static void load_texts(struct load *load, const struct str *texts) {
    load_begin(load);
    struct buffer bytes = {0};
    for (int i = 0; i < PART_COUNT; i++) {
        buffer_add_text(&bytes, before[i]);
        add_escaped(&bytes, texts[i]);
    }
    buffer_add_text(&bytes, before[PART_COUNT]);
    struct str all = {NULL, bytes.size};
    all.data = buffer_take(&bytes, &load->arena);
    buffer_close(&bytes);
    load_model(load, all);
    diag_sort(&load->diag);
}

static void load_close(struct load *load) { arena_close(&load->arena); }

/* Gives a text what is in a buffer, and empties that. */
static struct str take(struct load *load, struct buffer *out) {
    struct str text = {NULL, out->size};
    text.data = buffer_take(out, &load->arena);
    buffer_close(out);
    return text;
}

static struct str declarations_text(struct load *load, const struct declaration_list *list) {
    struct buffer out = {0};
    for (uint32_t i = 0; i < list->count; i++) {
        print_declaration(&out, list->items[i], 0);
        buffer_add_text(&out, "\n");
    }
    return take(load, &out);
}

static struct str text_of_expr(struct load *load, const struct expr *expr) {
    struct buffer out = {0};
    if (expr) print_expr(&out, expr);
    return take(load, &out);
}

static struct str select_text(struct load *load, const struct edge *edge) {
    struct buffer out = {0};
    for (uint32_t i = 0; i < edge->select_count; i++) {
        buffer_printf(&out, "%s%s : ", i ? ", " : "", edge->selects[i]->name);
        print_base_type(&out, edge->selects[i]->type);
    }
    return take(load, &out);
}

static struct str sync_text(struct load *load, const struct edge *edge) {
    struct buffer out = {0};
    if (edge->sync) {
        print_expr(&out, edge->sync);
        buffer_add_text(&out, edge->is_send ? "!" : "?");
    }
    return take(load, &out);
}

/* The declarations printed, and what follows as it is. */
static struct str system_text(struct load *load) {
    struct buffer out = {0};
    const struct model *model = load->model;
    struct str printed = declarations_text(load, &model->system_declarations);
    const struct text *text = &load->document.system->text;
    position from = model->system_span.begin, end = text->begin + (position)text->content.size;
    buffer_add(&out, printed.data, printed.size);
    if (from >= text->begin && from < end)
        buffer_add(&out, text->content.data + (from - text->begin), end - from);
    return take(load, &out);
}

static struct str query_text(struct load *load, const struct query *query) {
    static const char *const words[] = {
        [QUERY_ALWAYS] = "A[] ",      [QUERY_POSSIBLY] = "E<> ", [QUERY_EVENTUALLY] = "A<> ",
        [QUERY_POTENTIALLY] = "E[] ", [QUERY_LEADS_TO] = "",     [QUERY_SUP] = "sup",
        [QUERY_INF] = "inf",          [QUERY_BOUNDS] = "bounds"};
    struct buffer out = {0};
    if (query->quantifier == QUERY_EMPTY || query->quantifier == QUERY_INVALID)
        return (struct str){"", 0};
    bool is_bound = query->quantifier >= QUERY_SUP;
    buffer_add_text(&out, words[query->quantifier]);
    if (is_bound && query->predicate) buffer_add_text(&out, "{");
    if (query->predicate) print_expr(&out, query->predicate);
    if (is_bound) buffer_add_text(&out, query->predicate ? "}: " : ": ");
    if (query->quantifier == QUERY_LEADS_TO) buffer_add_text(&out, " --> ");
    struct expr_list list = {query->exprs, query->expr_count};
    print_expr_list(&out, &list);
    return take(load, &out);
}

static void print_all(struct load *load, struct str *texts) {
    const struct template *template = load->model->templates[0];
    const struct edge *edge = &template->edges[0];
    struct buffer out = {0};
    texts[PART_DECLARATION] = declarations_text(load, &load->model->declarations);
    print_parameters(&out, template->parameters, template->parameter_count);
    texts[PART_PARAMETER] = take(load, &out);
    texts[PART_LOCAL] = declarations_text(load, &template->declarations);
    texts[PART_INVARIANT] = text_of_expr(load, template->locations[0].written_invariant);
    texts[PART_SELECT] = select_text(load, edge);
    texts[PART_GUARD] = text_of_expr(load, edge->written_guard);
    texts[PART_SYNC] = sync_text(load, edge);
    print_expr_list(&out, &edge->updates);
    texts[PART_UPDATE] = take(load, &out);
    texts[PART_SYSTEM] = system_text(load);
    texts[PART_QUERY] =
        load->model->query_count ? query_text(load, &load->model->queries[0]) : (struct str){"", 0};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct str texts[PART_COUNT], printed[PART_COUNT], again[PART_COUNT];
    size_t at = 0;
    for (int i = 0; i < PART_COUNT; i++) {
        size_t from = at;
        while (at < size && data[at] != '@') at++;
        texts[i] = (struct str){(const char *)data + from, at - from};
        at += at < size;
    }
    struct load first, second;
    load_texts(&first, texts);
    if (first.is_valid) {
        print_all(&first, printed);
        load_texts(&second, printed);
        if (!second.is_valid) diag_print(&second.diag, stderr);
        require(second.is_valid);
        print_all(&second, again);
        for (int i = 0; i < PART_COUNT; i++) require(str_equal(printed[i], again[i]));
        load_close(&second);
    }
    load_close(&first);
    return 0;
}
