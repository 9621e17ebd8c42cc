/* Layout and program of a search, its own or those of another search. */
#include "explore/space/prepared.h"

#include "explore/successor/assemble.h"

#include <assert.h>
#include <stdlib.h>

enum { PREPARE_SECONDS = 1 /* beyond the limit: until the search it is an error, not a limit */ };

void leave_prepared(struct search *search) {
    struct prepared *prepared = search->prepared;
    search->prepared = NULL;
    if (!prepared || --prepared->users) return;
    arena_close(&prepared->arena);
    free(prepared);
}

static void use_prepared(struct search *search, struct prepared *prepared) {
    assert(!search->prepared);
    prepared->users++;
    search->prepared = prepared;
    search->layout = prepared->layout;
}

static bool same_guesses(const struct guess *some, const struct guess *others, uint32_t count) {
    bool is_same = true;
    for (uint32_t i = 0; i < count && is_same; i++)
        is_same = some[i].lower == others[i].lower && some[i].upper == others[i].upper &&
                  some[i].is_transient == others[i].is_transient;
    return is_same;
}

/* Takes what another search of the network has; false if it has nothing that fits. */
static bool share(struct search *search, const struct search *other) {
    struct prepared *prepared = other ? other->prepared : NULL;
    if (!prepared || !other->program || other->program->has_waiting ||
        other->options.interprets != search->options.interprets ||
        !same_guesses(prepared->guesses, search->guesses, search->network->slot_count))
        return false;
    use_prepared(search, prepared);
    search->program = program_share(&search->arena, other->program, search->options.interprets);
    return true;
}

/* Makes both by the guesses; false if there is no program. */
static bool prepare(struct search *search, bool waits) {
    const struct search_options *options = &search->options;
    struct prepared *prepared = heap_resize(NULL, 1, sizeof *prepared);
    uint32_t count = search->network->slot_count;
    *prepared = (struct prepared){.users = 0};
    arena_init(&prepared->arena);
    prepared->guesses = ARENA_ARRAY(&prepared->arena, struct guess, count + 1);
    memcpy(prepared->guesses, search->guesses, count * sizeof *search->guesses);
    prepared->layout = layout_new(&prepared->arena, search->network, search->guesses);
    use_prepared(search, prepared);
    const struct program_kind kind = {.interprets = options->interprets, .waits = waits};
    struct program_limits limits = {.max_size = options->max_size};
    if (options->max_seconds > 0)
        limits.deadline = search->start + options->max_seconds + PREPARE_SECONDS;
    search->program = program_new(&prepared->arena, search->layout, kind, limits, &search->limit,
                                  options->diag ? options->diag : search->network->model->diag);
    return search->program != NULL; /* search->limit says why */
}

static void compile_watches(struct search *search) {
    struct compiler *compiler = search->program->compiler;
    for (uint32_t i = 0; i < search->watch_count; i++) {
        struct watch *watch = &search->watches[i];
        bool is_out = watch->waits && search->symmetry;
        watch->is_decided = (watch->kind == WATCH_LATER && !watch->needs_all) || is_out;
        watch->found = watch->failed = (struct found_state){0};
        unit_begin(compiler);
        if (watch->predicate) unit_predicate(compiler, watch->predicate, watch->is_negated);
        unit_end(compiler, &watch->unit);
        watch->values = ARENA_ARRAY(&search->arena, struct unit, watch->expr_count + 1);
        watch->bounds = ARENA_ARRAY(&search->arena, struct bounds_of, watch->expr_count + 1);
        for (uint32_t k = 0; k < watch->expr_count; k++) {
            unit_begin(compiler);
            unit_value(compiler, watch->exprs[k]);
            unit_end(compiler, &watch->values[k]);
        }
    }
}

bool compile_all(struct search *search, bool waits, const struct search *other) {
    search->limit = LIMIT_NONE;
    if (search->symmetry) canon_align(search->symmetry, search->guesses);
    if (!share(search, other) && !prepare(search, waits)) return false;
    if (search->symmetry)
        search->program->canon = canon_new(&search->arena, search->layout, search->symmetry);
    compile_watches(search);
    return true;
}
