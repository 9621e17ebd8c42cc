#include "abstract/claim/alike.h"

#include "abstract/claim/stutter.h"
#include "expr/build.h"
#include "expr/find.h"
#include "lang/print/print.h"
#include "lang/syntax/lex.h"
#include "lang/syntax/walk.h"

#include <assert.h>

/* Longer questions take longer than they are worth. */
enum { MOST_TEXT = 1 << 16 };

struct asker {
    struct abstraction *abstraction;
    const struct process *process;
    bool has_failed;
};

/* The constant that a parameter, or a constant of the template, is in a process. */
static const struct expr *constant_of(struct asker *asker, const struct symbol *symbol) {
    assert(symbol->scope == SCOPE_TEMPLATE);
    const struct network *network = asker->abstraction->network;
    const struct binding *binding = &asker->process->locals[symbol->index];
    asker->has_failed |= symbol->is_reference || binding->shape->kind != SHAPE_CELL ||
                         network->slot_of[binding->address] != NO_SLOT; /* it is assigned */
    if (asker->has_failed) return NULL;
    return build_int(asker->abstraction->arena, network->cells[binding->address]);
}

static bool is_of_template(const void *context, const struct symbol *symbol) {
    (void)context;
    return symbol->scope == SCOPE_TEMPLATE;
}

/* A guard of the process as a query can write it. A query cannot name types, parameters and
 * constants of a template, and may know something else by their names: so constants become numbers,
 * variables get the name of the process in front, and types of the template are refused. */
static const struct expr *as_asked(struct asker *asker, const struct expr *expr) {
    struct arena *arena = asker->abstraction->arena;
    const struct symbol *symbol = expr->symbol;
    struct expr *copy = build_copy(arena, expr);
    asker->has_failed |= expr->kind == EXPR_CALL || (symbol && hides_in_queries(symbol->name)) ||
                         (expr->bound && type_find_name(expr->bound->type, is_of_template, NULL));
    if (expr->kind == EXPR_NAME && symbol && symbol->scope == SCOPE_TEMPLATE) {
        if (symbol->kind == SYMBOL_PARAMETER || symbol_is_const(symbol))
            return constant_of(asker, symbol);
        copy->name = arena_printf(arena, "%s.%s", asker->process->name, symbol->name);
        return copy;
    }
    for (int i = 0; i < 3 && !asker->has_failed; i++)
        if (expr->child[i]) copy->child[i] = (struct expr *)as_asked(asker, expr->child[i]);
    if (expr->argument_count) copy->arguments = NULL;
    asker->has_failed |= expr->argument_count > 0;
    return copy;
}

/* Adds "P.l and guard"; is_at: only the place. */
static void add_place(struct asker *asker, struct buffer *text, const struct doubtful_place *place,
                      bool is_at) {
    assert(place->template == asker->process->template);
    const struct location *location = &place->template->locations[place->location];
    asker->has_failed |= !location->symbol;
    if (asker->has_failed) return;
    buffer_printf(text, "%s.%s", asker->process->name, location->name);
    if (is_at || expr_is_true(place->guard)) return;
    const struct expr *guard = as_asked(asker, place->guard);
    if (asker->has_failed && !place->is_doubtful) { /* then it may be anything */
        asker->has_failed = false;
        return;
    }
    if (asker->has_failed) return;
    buffer_add_text(text, " && (");
    print_expr(text, guard);
    buffer_add_text(text, ")");
}

/* All places, with guards; the doubtful ones; or all without guards. */
enum places_kind { PLACES_ALL, PLACES_DOUBTFUL, PLACES_AT };

/* "(P.a && ..) || P.b"; false if the process has no such place. */
static bool add_places(struct asker *asker, struct buffer *text,
                       const struct doubtful_places *places, enum places_kind kind) {
    bool is_any = false;
    for (uint32_t i = 0; i < places->list.count && text->size < MOST_TEXT; i++) {
        const struct doubtful_place *place = &places->list.items[i];
        if (place->template != asker->process->template ||
            (kind == PLACES_DOUBTFUL && !place->is_doubtful))
            continue;
        buffer_add_text(text, is_any ? " || (" : "(");
        add_place(asker, text, place, kind == PLACES_AT);
        buffer_add_text(text, ")");
        is_any = true;
    }
    asker->has_failed |= text->size >= MOST_TEXT;
    return is_any;
}

static bool has_committed(const struct network *network) {
    for (uint32_t p = 0; p < network->process_count; p++)
        for (uint32_t l = 0; l < network->processes[p].template->location_count; l++)
            if (network->processes[p].template->locations[l].is_committed) return true;
    return false;
}

/* The first half of the question: some process is at a doubtful place. */
static void add_doubts(struct asker *asker, struct buffer *text,
                       const struct doubtful_places *places) {
    const struct network *network = asker->abstraction->network;
    bool is_first = true;
    for (uint32_t p = 0; p < network->process_count && !asker->has_failed; p++) {
        struct buffer one = {0};
        asker->process = &network->processes[p];
        if (add_places(asker, &one, places, PLACES_DOUBTFUL)) {
            buffer_printf(text, "%s%.*s", is_first ? "" : " || ", (int)one.size, one.data);
            is_first = false;
        }
        buffer_close(&one);
    }
    if (is_first) buffer_add_text(text, "false");
}

/* The second half: no process that is at such a place can move by itself for certain. Left out in
 * models with committed locations, where one that could move may have to wait for another. */
static void add_others(struct asker *asker, struct buffer *text,
                       const struct doubtful_places *places) {
    const struct network *network = asker->abstraction->network;
    if (has_committed(network)) return;
    for (uint32_t p = 0; p < network->process_count && !asker->has_failed; p++) {
        struct buffer one = {0}, at = {0};
        asker->process = &network->processes[p];
        if (add_places(asker, &one, places, PLACES_ALL) &&
            add_places(asker, &at, places, PLACES_AT))
            buffer_printf(text, " && (%.*s || !(%.*s))", (int)one.size, one.data, (int)at.size,
                          at.data);
        buffer_close(&one);
        buffer_close(&at);
    }
}

const char *alike_question(struct abstraction *abstraction, const char **may_fail) {
    struct doubtful_places places = {.may_fail = NULL};
    struct asker asker = {.abstraction = abstraction};
    struct buffer text = {0};
    if (!doubtful_places_find(abstraction, &places)) return NULL;
    *may_fail = places.may_fail;
    buffer_add_text(&text, "A[] deadlock || !((");
    add_doubts(&asker, &text, &places);
    buffer_add_text(&text, ")");
    add_others(&asker, &text, &places);
    buffer_add_text(&text, ")");
    bool ok = !asker.has_failed && text.size < MOST_TEXT;
    const char *question = ok ? buffer_take(&text, abstraction->arena) : NULL;
    buffer_close(&text);
    return question;
}
