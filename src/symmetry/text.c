#include "symmetry/text.h"

#include "lang/syntax/walk.h"
#include "symmetry/fail.h"
#include "symmetry/infer_internal.h"

#include <assert.h>
#include <stdlib.h>

enum { MOST_SETTINGS = 256 }; /* that are looked at pair by pair */

struct writer {
    struct model_text *text;
    struct buffer out;
};

int64_t exchanged_value(const struct name_exchange *exchange, uint32_t variable, int64_t value) {
    int64_t offset;
    if (exchange->root == NO_SLOT ||
        sort_find(exchange->sorts, variable, &offset) != exchange->root)
        return value;
    if (value - offset == exchange->left) return exchange->right + offset;
    if (value - offset == exchange->right) return exchange->left + offset;
    return value;
}

static int compare_texts(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static void write_expr(struct writer *writer, const struct expr *expr);

static void write_pointer(struct writer *writer, const void *pointer) {
    buffer_add_text(&writer->out, "@");
    buffer_add_hex(&writer->out, map_key(pointer));
}

/* The text of an expression by itself. */
static const char *text_of_expr(struct writer *writer, const struct expr *expr) {
    struct writer own = {.text = writer->text};
    write_expr(&own, expr);
    return buffer_finish(&own.out, writer->text->arena);
}

/* ---- expressions ---- */

static bool may_be_exchanged(const struct expr *expr) {
    switch (expr->op) {
    case OP_ADD:
    case OP_MUL:
    case OP_BIT_AND:
    case OP_BIT_OR:
    case OP_BIT_XOR:
    case OP_EQ:
    case OP_NE:
    case OP_AND:
    case OP_OR: return expr_cannot_fail(expr);
    default: return false;
    }
}

static uint32_t count_operands(const struct expr *expr, enum op op) {
    bool is_chain = expr->kind == EXPR_BINARY && expr->op == op && op != OP_EQ && op != OP_NE;
    return is_chain ? count_operands(expr->child[0], op) + count_operands(expr->child[1], op) : 1;
}

static const char **add_operands(struct writer *writer, const struct expr *expr, enum op op,
                                 const char **to) {
    if (count_operands(expr, op) == 1) {
        *to++ = text_of_expr(writer, expr);
        return to;
    }
    return add_operands(writer, expr->child[1], op, add_operands(writer, expr->child[0], op, to));
}

static void write_operands(struct writer *writer, const struct expr *expr) {
    uint32_t count =
        count_operands(expr->child[0], expr->op) + count_operands(expr->child[1], expr->op);
    const char **texts = ARENA_ARRAY(writer->text->arena, const char *, count);
    const char **end = add_operands(writer, expr->child[0], expr->op, texts);
    end = add_operands(writer, expr->child[1], expr->op, end);
    assert(end == texts + count);
    qsort(texts, count, sizeof *texts, compare_texts);
    buffer_add_text(&writer->out, "[");
    buffer_add_number(&writer->out, (int)expr->op);
    for (uint32_t i = 0; i < count; i++) {
        buffer_add_text(&writer->out, " ");
        buffer_add_text(&writer->out, texts[i]);
    }
    buffer_add_text(&writer->out, "]");
}

static void write_name(struct writer *writer, const struct expr *expr) {
    const struct symbol *symbol = expr->symbol;
    if (!symbol) {
        buffer_printf(&writer->out, "?%s", expr->name ? expr->name : "");
        return;
    }
    const struct name_exchange *exchange = writer->text->exchange;
    const struct network *network = exchange->sorts->network;
    bool is_process = symbol->kind == SYMBOL_INSTANCE || symbol->kind == SYMBOL_TEMPLATE;
    for (uint32_t i = 0; is_process && i < network->process_count; i++)
        if (network->processes[i].symbol == symbol &&
            !strcmp(network->processes[i].name, symbol->name)) {
            buffer_printf(&writer->out, "process %u",
                          exchange->process_of ? exchange->process_of[i] : i);
            if (writer->text->part) writer->text->part->names_processes = true;
            return;
        }
    if (symbol->scope == SCOPE_FRAME && symbol->kind != SYMBOL_FUNCTION && !is_process)
        buffer_printf(&writer->out, "%s'%u", symbol->name, symbol->index);
    else
        write_pointer(writer, symbol);
}

/* What an expression is of by itself, in front of its parts. */
static void write_kind(struct writer *writer, const struct expr *expr) {
    buffer_add_text(&writer->out, "(");
    buffer_add_number(&writer->out, (int)expr->kind);
    buffer_add_text(&writer->out, ",");
    buffer_add_number(&writer->out, (int)expr->op);
    if (expr->kind == EXPR_BOOL) buffer_printf(&writer->out, " %lld", (long long)expr->value);
    if (expr->name) {
        buffer_add_text(&writer->out, " ");
        buffer_add_text(&writer->out, expr->name);
    }
    if (expr->symbol) write_pointer(writer, expr->symbol);
    if (expr->bound) {
        buffer_printf(&writer->out, " %s'%u", expr->bound->name, expr->bound->index);
        write_pointer(writer, type_strip(expr->bound->type));
    }
    buffer_add_text(&writer->out, " ");
    buffer_add_number(&writer->out, expr->modes);
}

static void write_expr(struct writer *writer, const struct expr *expr) {
    const struct name_exchange *exchange = writer->text->exchange;
    const struct sort_literal *literal = map_get(&exchange->sorts->literals, map_key(expr));
    int64_t value;
    if (literal || number_in_text(expr, &value)) {
        if (literal) value = exchanged_value(exchange, literal->variable, literal->value);
        if (literal && writer->text->part)
            VEC_PUSH(writer->text->arena, &writer->text->part->literals, literal);
        buffer_add_number(&writer->out, value);
        return;
    }
    if (expr->kind == EXPR_NAME) {
        write_name(writer, expr);
        return;
    }
    if (expr->kind == EXPR_BINARY && may_be_exchanged(expr)) {
        write_operands(writer, expr);
        return;
    }
    write_kind(writer, expr);
    for (int i = 0; i < 3; i++) {
        buffer_add_text(&writer->out, " ");
        if (expr->child[i]) write_expr(writer, expr->child[i]);
    }
    for (uint32_t i = 0; i < expr->argument_count; i++) {
        buffer_add_text(&writer->out, ", ");
        write_expr(writer, expr->arguments[i]);
    }
    buffer_add_text(&writer->out, ")");
}

/* ---- assignments next to each other ---- */

/* A cell with fixed indices of a variable that has no other name. */
static bool is_fixed_cell(const struct expr *expr) {
    int64_t value;
    for (; expr->kind == EXPR_INDEX || expr->kind == EXPR_FIELD; expr = expr->child[0])
        if (expr->kind == EXPR_INDEX && !number_in_text(expr->child[1], &value)) return false;
    return expr->kind == EXPR_NAME && expr->symbol && !expr->symbol->is_reference &&
           expr->symbol->kind != SYMBOL_INSTANCE && expr->symbol->kind != SYMBOL_TEMPLATE;
}

static bool is_single(const struct expr *expr) {
    if (!expr->type) return false;
    enum type_kind kind = type_strip(expr->type)->kind;
    return kind == TYPE_INT || kind == TYPE_BOOL || kind == TYPE_SCALAR;
}

/* An assignment to a cell, and the cells that it reads. */
struct setting {
    struct writer *writer; /* NULL: texts are not wanted */
    const char *cell;
    VEC(const char *) reads;
    bool is_fixed; /* there is nothing else in it */
};

static bool note_read(void *context, const struct expr *expr) {
    struct setting *setting = context;
    int64_t value;
    if (expr->kind == EXPR_BOOL || number_in_text(expr, &value)) return false;
    if (expr->kind == EXPR_UNARY || expr->kind == EXPR_BINARY || expr->kind == EXPR_COND)
        return true;
    if (!is_fixed_cell(expr) || !is_single(expr))
        setting->is_fixed = false;
    else if (setting->writer)
        VEC_PUSH(setting->writer->text->arena, &setting->reads,
                 text_of_expr(setting->writer, expr));
    return false;
}

/* Of cells with fixed indices alone. */
static bool is_setting(const struct expr *expr) {
    struct setting setting = {.is_fixed = true};
    if (expr->kind != EXPR_ASSIGN || expr->op != OP_ASSIGN || !is_fixed_cell(expr->child[0]) ||
        !is_single(expr->child[0]))
        return false;
    walk_expr(expr->child[1], note_read, &setting);
    return setting.is_fixed;
}

static struct setting read_setting(struct writer *writer, const struct expr *expr) {
    struct setting setting = {.writer = writer, .is_fixed = true};
    setting.cell = text_of_expr(writer, expr->child[0]);
    walk_expr(expr->child[1], note_read, &setting);
    return setting;
}

static bool reads_cell(const struct setting *setting, const char *cell) {
    for (uint32_t i = 0; i < setting->reads.count; i++)
        if (!strcmp(setting->reads.items[i], cell)) return true;
    return false;
}

/* Whether two settings may come in either order. */
static bool are_apart(const struct setting *left, const struct setting *right) {
    return strcmp(left->cell, right->cell) != 0 && !reads_cell(left, right->cell) &&
           !reads_cell(right, left->cell);
}

/* The end of the settings that begin at a place and may come in any order. */
static uint32_t end_of_settings(struct writer *writer, struct expr *const *items, uint32_t first,
                                uint32_t count) {
    uint32_t end = first;
    struct setting settings[MOST_SETTINGS];
    for (; end < count && end - first < MOST_SETTINGS && is_setting(items[end]); end++) {
        settings[end - first] = read_setting(writer, items[end]);
        for (uint32_t i = 0; i < end - first; i++)
            if (!are_apart(&settings[i], &settings[end - first])) return end;
    }
    return end;
}

static void write_items(struct writer *writer, struct expr *const *items, uint32_t count) {
    const char **texts = ARENA_ARRAY(writer->text->arena, const char *, count + 1);
    for (uint32_t i = 0; i < count; i++) texts[i] = text_of_expr(writer, items[i]);
    for (uint32_t i = 0, end = 0; i < count; i = end) {
        end = is_setting(items[i]) ? end_of_settings(writer, items, i, count) : i + 1;
        assert(end > i && end <= count);
        qsort(texts + i, end - i, sizeof *texts, compare_texts);
    }
    for (uint32_t i = 0; i < count; i++) {
        buffer_add_text(&writer->out, texts[i]);
        buffer_add_text(&writer->out, "; ");
    }
}

/* ---- statements ---- */

static void write_initialiser(struct writer *writer, const struct initialiser *initialiser) {
    if (initialiser->expr) write_expr(writer, initialiser->expr);
    for (uint32_t i = 0; i < initialiser->item_count; i++) {
        buffer_printf(&writer->out, "{%s:", initialiser->names[i] ? initialiser->names[i] : "");
        write_initialiser(writer, initialiser->items[i]);
        buffer_add_text(&writer->out, "}");
    }
}

static void write_statement(struct writer *writer, const struct statement *statement);

static void write_locals(struct writer *writer, const struct statement *block) {
    for (uint32_t i = 0; i < block->declaration_count; i++)
        for (uint32_t k = 0; k < block->declarations[i]->declarator_count; k++) {
            const struct symbol *symbol = block->declarations[i]->declarators[k].symbol;
            buffer_printf(&writer->out, "var %s'%u=", symbol->name, symbol->index);
            if (symbol->initialiser) write_initialiser(writer, symbol->initialiser);
            buffer_add_text(&writer->out, ";");
        }
}

/* Statements that are settings are sorted as lists of updates are. */
static void write_block(struct writer *writer, const struct statement *block) {
    write_locals(writer, block);
    for (uint32_t i = 0; i < block->statement_count;) {
        uint32_t end = i;
        while (end < block->statement_count && block->statements[end]->kind == STATEMENT_EXPR &&
               is_setting(block->statements[end]->expr) &&
               !map_get(&writer->text->exchange->sorts->skipped, map_key(block->statements[end])))
            end++;
        if (end == i) {
            write_statement(writer, block->statements[i++]);
            continue;
        }
        struct expr **items = ARENA_ARRAY(writer->text->arena, struct expr *, end - i);
        for (uint32_t k = i; k < end; k++) items[k - i] = block->statements[k]->expr;
        write_items(writer, items, end - i);
        i = end;
    }
}

static void write_list(struct writer *writer, const struct expr_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        write_expr(writer, list->items[i]);
        buffer_add_text(&writer->out, ", ");
    }
}

/* The head of a loop that counts names nothing of its sort. */
static void write_head(struct writer *writer, const struct statement *statement) {
    const struct sorts *sorts = writer->text->exchange->sorts;
    const struct count_loop *loop = map_get(&sorts->loops, map_key(statement));
    if (loop && map_get(&sorts->counting, map_key(loop->symbol))) {
        buffer_printf(&writer->out, "count %s'%u %lld %lld", loop->symbol->name,
                      loop->symbol->index, (long long)loop->lower, (long long)loop->upper);
        return;
    }
    if (statement->bound) {
        buffer_printf(&writer->out, "%s'%u", statement->bound->name, statement->bound->index);
        write_pointer(writer, type_strip(statement->bound->type));
    }
    write_list(writer, &statement->first);
    buffer_add_text(&writer->out, "|");
    write_list(writer, &statement->condition);
    buffer_add_text(&writer->out, "|");
    write_list(writer, &statement->step);
}

static void write_statement(struct writer *writer, const struct statement *statement) {
    if (map_get(&writer->text->exchange->sorts->skipped, map_key(statement))) return;
    buffer_printf(&writer->out, "<%d ", (int)statement->kind);
    if (statement->expr) write_expr(writer, statement->expr);
    write_head(writer, statement);
    if (statement->kind == STATEMENT_BLOCK) write_block(writer, statement);
    if (statement->body) write_statement(writer, statement->body);
    buffer_add_text(&writer->out, "|");
    if (statement->other) write_statement(writer, statement->other);
    buffer_add_text(&writer->out, ">");
}

/* ---- the model ---- */

static void add_unit(struct model_text *text, struct writer *writer, struct span span) {
    struct text_unit unit = {buffer_finish(&writer->out, text->arena), span};
    writer->out = (struct buffer){0};
    VEC_PUSH(text->arena, &text->units, unit);
}

/* Whether to go on: the units since the last time are those of the other text. */
static bool is_alike(struct model_text *text) {
    while (text->like && !text->difference && text->compared < text->units.count) {
        assert(text->compared < text->like->units.count);
        const struct text_unit *unit = &text->like->units.items[text->compared++];
        if (strcmp(unit->text, text->units.items[text->compared - 1].text) != 0)
            text->difference = unit;
    }
    return !text->difference;
}

static struct span span_of_edge(const struct network *network, const struct template *template,
                                const struct edge *edge) {
    const struct expr *guard = guard_of_edge(network, template, edge);
    if (edge->updates.count) return edge->updates.items[0]->span;
    if (edge->sync) return edge->sync->span;
    return guard ? guard->span : template->symbol->span;
}

static void write_edge(struct writer *writer, const struct template *template,
                       const struct edge *edge) {
    const struct network *network = writer->text->exchange->sorts->network;
    const struct expr *guard = guard_of_edge(network, template, edge);
    buffer_printf(&writer->out, "%u %u %d ", edge->source, edge->target, edge->is_send);
    for (uint32_t i = 0; i < edge->select_count; i++) {
        buffer_printf(&writer->out, "%s'%u", edge->selects[i]->name, edge->selects[i]->index);
        write_pointer(writer, type_strip(edge->selects[i]->type));
    }
    buffer_add_text(&writer->out, "|");
    if (guard) write_expr(writer, guard);
    buffer_add_text(&writer->out, "|");
    if (edge->sync) write_expr(writer, edge->sync);
    buffer_add_text(&writer->out, "|");
    write_items(writer, edge->updates.items, edge->updates.count);
}

static int compare_units(const void *left, const void *right) {
    return strcmp(((const struct text_unit *)left)->text, ((const struct text_unit *)right)->text);
}

static void add_template(struct model_text *text, const struct template *template) {
    const struct network *network = text->exchange->sorts->network;
    struct writer writer = {.text = text};
    for (uint32_t i = 0; i < template->location_count; i++) {
        const struct expr *invariant = invariant_at(network, template, i);
        if (!invariant) continue;
        write_expr(&writer, invariant);
        add_unit(text, &writer, invariant->span);
    }
    uint32_t first = text->units.count;
    for (uint32_t i = 0; i < template->edge_count; i++) {
        write_edge(&writer, template, &template->edges[i]);
        add_unit(text, &writer, span_of_edge(network, template, &template->edges[i]));
    }
    if (text->units.count > first)
        qsort(text->units.items + first, text->units.count - first, sizeof *text->units.items,
              compare_units);
}

static void add_declarations(struct model_text *text, const struct declaration_list *list) {
    struct writer writer = {.text = text};
    for (uint32_t i = 0; i < list->count; i++) {
        const struct declaration *declaration = list->items[i];
        for (uint32_t k = 0; k < declaration->priority_count; k++) {
            buffer_printf(&writer.out, "%u ", declaration->priorities[k].level);
            if (declaration->priorities[k].channel)
                write_expr(&writer, declaration->priorities[k].channel);
            add_unit(text, &writer, declaration->span);
        }
        if (declaration->kind != DECLARATION_HOOK) continue;
        write_items(&writer, declaration->hook.items, declaration->hook.count);
        add_unit(text, &writer, declaration->span);
    }
}

static bool is_exchanged(const struct model_part *part, const struct name_exchange *exchange) {
    for (uint32_t i = 0; i < part->literals.count; i++) {
        const struct sort_literal *literal = part->literals.items[i];
        if (exchanged_value(exchange, literal->variable, literal->value) != literal->value)
            return true;
    }
    return part->names_processes;
}

/* Begins the next part. False if it is that of the other text, as nothing in it is exchanged: then
 * it is there already. */
static bool begin_part(struct model_text *text, uint32_t index, struct model_part *part) {
    *part = (struct model_part){.first = text->units.count};
    if (!text->like) {
        text->part = part;
        return true;
    }
    const struct model_part *same = &text->like->parts.items[index];
    assert(same->first == text->units.count && text->compared == text->units.count);
    if (is_exchanged(same, text->exchange)) return true;
    for (uint32_t i = same->first; i < same->end; i++)
        VEC_PUSH(text->arena, &text->units, text->like->units.items[i]);
    text->compared = text->units.count;
    return false;
}

static void end_part(struct model_text *text, struct model_part *part) {
    if (!text->part) return;
    part->end = text->units.count;
    text->part = NULL;
    VEC_PUSH(text->arena, &text->parts, *part);
}

void text_of_model(struct model_text *text) {
    const struct sorts *sorts = text->exchange->sorts;
    struct model_part part;
    uint32_t index = 0;
    const struct model *model = sorts->network->model;
    add_declarations(text, &model->declarations);
    add_declarations(text, &model->system_declarations);
    for (uint32_t t = 0; t < model->template_count; t++)
        if (sorts->network->processes_of[t].end && is_alike(text)) {
            if (begin_part(text, index++, &part)) add_template(text, model->templates[t]);
            end_part(text, &part);
        }
    struct writer writer = {.text = text};
    for (uint32_t i = 0; i < sorts->functions.count && is_alike(text); i++) {
        const struct function *function = sorts->functions.items[i];
        if (!function->body) continue;
        if (begin_part(text, index++, &part)) {
            write_statement(&writer, function->body);
            add_unit(text, &writer, function->symbol->span);
        }
        end_part(text, &part);
    }
    is_alike(text);
}

void text_of_query(struct model_text *text, const struct query *query) {
    struct writer writer = {.text = text};
    if (text->difference) return;
    if (query->predicate) write_expr(&writer, query->predicate);
    for (uint32_t i = 0; i < query->expr_count; i++) {
        buffer_add_text(&writer.out, " , ");
        write_expr(&writer, query->exprs[i]);
    }
    add_unit(text, &writer, query->span);
    is_alike(text);
}
