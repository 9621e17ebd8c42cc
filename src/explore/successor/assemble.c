/* The whole of it. A program is made in this order: channels with their priorities; instances;
 * invariants; guards and channels of instances; hooks; actions and loose instances; rows. */
#include "explore/successor/assemble_internal.h"

#include "base/clock.h"
#include "base/debug.h"
#include "base/interrupt.h"
#include "base/str.h"

#include <assert.h>

enum { LOOKS = 1 << 8 }; /* instances until limits are looked at again */

bool builder_goes_on(struct program_builder *builder) {
    const struct program_limits *limits = &builder->limits;
    enum search_limit met = interrupt_is_asked() ? limit_of_time() : LIMIT_NONE;
    if (builder->is_over || ++builder->looks % LOOKS) return !builder->is_over;
    if (limits->deadline > 0 && clock_seconds() > limits->deadline) met = LIMIT_TIME;
    if (builder->arena->used_size > program_most(limits)) met = LIMIT_MEMORY;
    if (met == LIMIT_NONE) return true;
    if (met == LIMIT_INTERRUPT)
        diag_error(builder->diag, STATUS_LIMIT, 0, "interrupted before the search");
    else
        diag_error(
            builder->diag, STATUS_LIMIT, 0,
            "to prepare all edges with all values of their selects takes more than %s allows; "
            "make the ranges smaller",
            met == LIMIT_TIME ? "--timeout" : "--max-memory");
    *builder->met = met;
    builder->is_over = true;
    return false;
}

/* Channels */

static void add_channels(struct program_builder *builder, const struct symbol *symbol,
                         const struct process *process, const struct binding *binding) {
    if (!symbol || !symbol_is_channel(symbol) || symbol->is_reference || !binding->shape) return;
    unsigned prefixes = type_prefixes(symbol->type);
    for (uint32_t i = 0; i < binding->shape->cell_count; i++) {
        const char *name = cell_name(builder->arena, symbol->name, symbol->type, binding->shape, i);
        if (process) name = arena_printf(builder->arena, "%s.%s", process->name, name);
        struct channel *channel = ARENA_NEW(builder->arena, struct channel);
        *channel = (struct channel){.name = name,
                                    .is_broadcast = prefixes & PREFIX_BROADCAST,
                                    .is_urgent = prefixes & PREFIX_URGENT};
        assert(!builder->program->channels[binding->address + i]); /* its own address */
        builder->program->channels[binding->address + i] = channel;
    }
}

/* The last `chan priority` counts; what it does not name has the default. */
static void set_priorities(struct program_builder *builder, const struct declaration *declaration) {
    struct program *program = builder->program;
    for (uint32_t i = 0; i < declaration->priority_count; i++)
        if (!declaration->priorities[i].channel)
            program->internal_priority = (int32_t)declaration->priorities[i].level;
    for (uint32_t i = 0; i < program->network->cell_count; i++)
        if (program->channels[i]) program->channels[i]->priority = program->internal_priority;
    for (uint32_t i = 0; i < declaration->priority_count; i++) {
        const struct channel_priority *priority = &declaration->priorities[i];
        struct binding place = {0, NULL};
        if (!priority->channel || !eval_lvalue(&builder->environment, priority->channel, &place))
            continue;
        for (uint32_t k = 0; k < place.shape->cell_count; k++)
            program->channels[place.address + k]->priority = (int32_t)priority->level;
    }
}

static void find_channels(struct program_builder *builder) {
    struct program *program = builder->program;
    const struct network *network = program->network;
    const struct model *model = network->model;
    program->channels = ARENA_ARRAY(builder->arena, struct channel *, network->cell_count + 1);
    for (uint32_t i = 0; i < model->symbol_count; i++)
        add_channels(builder, model->symbols[i], NULL, &network->globals[i]);
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        for (uint32_t i = 0; i < process->template->symbol_count; i++)
            add_channels(builder, process->template->symbols[i], process, &process->locals[i]);
    }
    const struct declaration_list *lists[] = {&model->declarations, &model->system_declarations};
    const struct declaration *last = NULL;
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < lists[k]->count; i++)
            if (lists[k]->items[i]->kind == DECLARATION_CHANNEL_PRIORITY) last = lists[k]->items[i];
    if (last) set_priorities(builder, last);
    program->has_priorities = network->has_priorities;
}

/* Invariants */

static bool reads_shared(struct program_builder *builder, const struct expr *expr) {
    struct effects effects = {0};
    effects_add_expr(&((struct network *)builder->program->network)->effects, &effects, expr);
    for (uint32_t i = 0; i < effects.list.count; i++) {
        const struct symbol *symbol = effects.list.items[i].symbol;
        if (effects.list.items[i].reads &&
            (symbol->is_reference || (symbol->scope == SCOPE_GLOBAL && !symbol_is_const(symbol))))
            return true;
    }
    return false;
}

static void compile_invariants(struct program_builder *builder) {
    struct program *program = builder->program;
    const struct network *network = program->network;
    program->invariants = ARENA_ARRAY(builder->arena, struct unit *, network->process_count + 1);
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        const struct template *template = process->template;
        bool has_invariant = false;
        program->invariants[p] =
            ARENA_ARRAY(builder->arena, struct unit, template->location_count + 1);
        for (uint32_t l = 0; l < template->location_count; l++) {
            struct unit *unit = &program->invariants[p][l];
            unit->entry = NO_CODE;
            program->has_committed |= template->locations[l].is_committed;
            program->has_urgent |= template->locations[l].is_urgent;
            const struct expr *invariant = invariant_at(program->network, template, l);
            if (!invariant) continue;
            has_invariant = true;
            builder->shares_invariants |= reads_shared(builder, invariant);
            unit_begin(builder->compiler);
            unit_fresh(builder->compiler);
            unit_at(builder->compiler, process, l);
            unit_invariant(builder->compiler, process, l);
            unit_end(builder->compiler, unit);
        }
        if (has_invariant) VEC_PUSH(builder->arena, &program->invariant_processes, p);
    }
}

/* Whether the initial state meets all invariants. */
static bool starts_well(struct program_builder *builder) {
    struct program *program = builder->program;
    const struct layout *layout = program->layout;
    struct machine machine;
    machine_init(&machine, &program->code);
    machine.deadline = builder->limits.deadline;
    uint64_t *words = ARENA_ARRAY(builder->arena, uint64_t, layout->word_count + 1);
    bool is_fine = true;
    for (uint32_t i = 0; i < program->invariant_processes.count && is_fine; i++) {
        uint32_t p = program->invariant_processes.items[i];
        uint32_t initial = program->network->processes[p].template->initial;
        memcpy(words, layout->initial, layout->word_count * sizeof *words);
        is_fine = machine_unit(&machine, &program->invariants[p][initial], words) == RUN_TRUE;
    }
    machine_close(&machine);
    return is_fine;
}

static void add_hooks(struct program_builder *builder) {
    struct program *program = builder->program;
    const struct model *model = program->network->model;
    const struct declaration_list *lists[] = {&model->declarations, &model->system_declarations};
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < lists[k]->count; i++)
            if (lists[k]->items[i]->kind == DECLARATION_HOOK)
                *(lists[k]->items[i]->is_after ? &program->has_after : &program->has_before) = true;
    for (int is_after = 0; is_after < 2; is_after++) {
        unit_begin(builder->compiler);
        if (!is_after) unit_fresh(builder->compiler);
        compile_hooks(program, is_after);
        unit_end(builder->compiler, is_after ? &program->after : &program->before);
    }
}

/* That a program refers to what it has. */
static void unit_check(const struct program *program, const struct unit *unit) {
    const struct code *code = &program->code;
    assert(unit->first_test + unit->test_count <= code->tests.count);
    assert(unit->first_put + unit->put_count <= code->puts.count);
    if (unit->entry == NO_CODE || !unit->end) return; /* no code, or never compiled */
    assert(unit->entry < unit->end && unit->end <= code->instructions.count);
}

static void program_check(const struct program *program) {
    assert(program->code.spans.count == program->code.instructions.count);
    for (uint32_t i = 0; i < program->instances.count; i++) {
        const struct edge_instance *instance = &program->instances.items[i];
        assert(instance->edge_count && instance->sync <= instance->edge_count);
        assert(instance->source < instance->process->template->location_count);
        assert(instance->target < instance->process->template->location_count);
        unit_check(program, &instance->guard);
        unit_check(program, &instance->update);
    }
    for (uint32_t i = 0; i < program->actions.count; i++) {
        const struct action *action = &program->actions.items[i];
        assert(action->first < program->instances.count && action->first != action->second);
        assert(action->second == NO_INSTANCE || action->second < program->instances.count);
        unit_check(program, &action->unit);
    }
    unit_check(program, &program->before);
    unit_check(program, &program->after);
}

struct program *program_new(struct arena *arena, const struct layout *layout,
                            struct program_kind kind, struct program_limits limits,
                            enum search_limit *met, struct diag *diag) {
    if (network_refuse_time(layout->network, diag)) return NULL;
    struct program *program = ARENA_NEW(arena, struct program);
    program->network = layout->network;
    program->layout = layout;
    program->code.arena = arena;
    program->code.layout = layout;
    program->has_waiting = kind.waits && layout->stored_words > QUICK_WORDS;
    struct program_builder builder = {
        .program = program, .arena = arena, .diag = diag, .limits = limits, .met = met};
    builder.compiler = compiler_new(arena, &program->code, kind.interprets);
    program->compiler = builder.compiler;
    network_environment(layout->network, &builder.environment, arena);
    find_channels(&builder);
    bool ok = add_instances(&builder);
    if (ok) {
        compile_invariants(&builder);
        program->rechecks_always = !starts_well(&builder);
        list_channels(&builder);
        add_hooks(&builder);
        if (!builder.is_over) add_actions(&builder);
        if (!builder.is_over) add_listeners(&builder);
        if (!builder.is_over) add_urgent(&builder);
        ok = !builder.is_over;
    }
    eval_close(&builder.environment);
    if (ok) DEBUG_CHECK(program_check(program));
    DEBUG_LOG("%u instances, %u actions, %u instructions", program->instances.count,
              program->actions.count, program->code.instructions.count);
    if (!ok) program_close(program);
    return ok ? program : NULL;
}

void action_compile(const struct program *program, struct action *action) {
    struct unit unit;
    assert(program->has_waiting && action->state == ACTION_WAITS);
    action->state = compile_action(program, action, &unit) ? ACTION_READY : ACTION_NEVER;
    assert(unit.test_count == action->unit.test_count);
    action->unit = unit;
}

/* The code of the other one is not written to: what is added makes it move. */
static void share_code(struct code *code, struct arena *arena) {
    code->arena = arena;
    code->instructions.capacity = code->instructions.count;
    code->spans.capacity = code->spans.count;
    code->indexed.capacity = code->indexed.count;
    code->tests.capacity = code->tests.count;
    code->puts.capacity = code->puts.count;
    code->sites.capacity = code->sites.count;
}

struct program *program_share(struct arena *arena, const struct program *program, bool interprets) {
    struct program *own = ARENA_NEW(arena, struct program);
    assert(!program->has_waiting);
    *own = *program;
    own->canon = NULL;
    share_code(&own->code, arena);
    own->compiler = compiler_new(arena, &own->code, interprets);
    return own;
}

/* Frees the heap memory of its compiler; the rest is in the arena. */
void program_close(struct program *program) { compiler_close(program->compiler); }
