/* Instantiates templates: parameters, constants, shapes, slots, channels. */
#include "model/network.h"

#include "base/debug.h"
#include "model/quantifiers.h"
#include "model/seal.h"

#include <assert.h>

struct builder {
    struct arena *arena;
    struct network *network;
    const struct model *model;
    struct diag *diag;
    struct environment environment;
    VEC(struct slot) slots;
    VEC(uint32_t) slot_of;
    VEC(struct process) processes;
    const struct effects **writes; /* by template index: everything its edges and functions write */
};

void network_environment(const struct network *network, struct environment *environment,
                         struct arena *arena) {
    *environment = (struct environment){.arena = arena, .globals = network->globals};
    uint32_t address = eval_push(environment, network->cell_count);
    assert(address == 0);
    (void)address;
    if (network->cell_count)
        memcpy(environment->cells, network->cells,
               network->cell_count * sizeof *environment->cells);
}

void shape_step(struct buffer *out, struct shape_place *place) {
    assert(place->offset < place->shape->cell_count);
    const struct shape *shape = place->shape;
    const struct type *type = type_strip(place->type);
    if (shape->kind == SHAPE_ARRAY) {
        uint32_t size = shape->element->cell_count;
        buffer_printf(out, "[%d]", shape->lower + (int32_t)(place->offset / size));
        *place = (struct shape_place){type->element, shape->element, place->offset % size};
        return;
    }
    uint32_t field = shape_field(shape, place->offset);
    buffer_printf(out, ".%s", type->fields[field].name);
    *place = (struct shape_place){type->fields[field].type, shape->fields[field],
                                  place->offset - shape->offsets[field]};
}

void shape_path(struct buffer *out, const struct type *type, const struct shape *shape,
                uint32_t offset) {
    struct shape_place place = {type, shape, offset};
    while (place.shape->kind != SHAPE_CELL) shape_step(out, &place);
}

char *cell_name(struct arena *arena, const char *variable, const struct type *type,
                const struct shape *shape, uint32_t offset) {
    struct buffer name = {0};
    buffer_add_text(&name, variable);
    shape_path(&name, type, shape, offset);
    return buffer_finish(&name, arena);
}

const struct binding *variable_binding(const struct network *network, const struct process *process,
                                       const struct symbol *symbol) {
    if (symbol->scope == SCOPE_GLOBAL) return &network->globals[symbol->index];
    assert(symbol->scope == SCOPE_TEMPLATE && symbol->index < process->template->symbol_count);
    return &process->locals[symbol->index];
}

uint32_t variable_slot(const struct network *network, const struct process *process,
                       const struct symbol *symbol, uint32_t offset) {
    const struct binding *binding = variable_binding(network, process, symbol);
    if (!binding->shape || offset >= binding->shape->cell_count) return NO_SLOT;
    return network->slot_of[binding->address + offset];
}

char *slot_name(const struct network *network, const struct slot *slot, struct arena *arena) {
    assert(slot >= network->slots && slot < network->slots + network->slot_count);
    struct buffer text = {0};
    if (slot->process) buffer_printf(&text, "%s.", slot->process->name);
    buffer_add_text(&text, slot->symbol->name);
    shape_path(&text, slot->symbol->type,
               variable_binding(network, slot->process, slot->symbol)->shape, slot->offset);
    return buffer_finish(&text, arena);
}

/* Adds the cells of a shape; they are slots unless they are constants or channels. */
static void add_cells(struct builder *builder, const struct shape *shape, struct slot *slot) {
    switch (shape->kind) {
    case SHAPE_ARRAY:
        for (int64_t i = shape->lower; i <= shape->upper; i++)
            add_cells(builder, shape->element, slot);
        return;
    case SHAPE_STRUCT:
        for (uint32_t i = 0; i < shape->field_count; i++)
            add_cells(builder, shape->fields[i], slot);
        return;
    case SHAPE_CELL: break;
    }
    uint32_t number = NO_SLOT;
    if (slot->symbol) {
        assert(shape->lower <= shape->upper && shape->cell_count == 1);
        slot->address = builder->slot_of.count;
        slot->lower = shape->lower;
        slot->upper = shape->upper;
        slot->is_bool = shape->is_bool;
        slot->is_scalar = shape->is_scalar;
        number = builder->slots.count;
        VEC_PUSH(builder->arena, &builder->slots, *slot);
        slot->offset++;
    }
    VEC_PUSH(builder->arena, &builder->slot_of, number);
}

/* False. */
static bool report_fault(struct builder *builder, const struct symbol *symbol, const char *what) {
    struct fault *fault = &builder->environment.fault;
    position at = fault->span.begin ? fault->span.begin : symbol->span.begin;
    enum status status = fault->kind == FAULT_STEPS ? STATUS_LIMIT : STATUS_INVALID;
    const char *hint = fault->kind == FAULT_STEPS ? "it is too large or takes too long to compute"
                                                  : fault_name(fault->kind);
    diag_error(builder->diag, status, at, "%s of '%s' cannot be computed: %s", what, symbol->name,
               hint);
    *fault = (struct fault){0};
    return false;
}

/* Reserves memory for a symbol; false if its type has no shape. */
static bool bind_symbol(struct builder *builder, const struct symbol *symbol,
                        const struct process *process, bool is_slot, struct binding *binding) {
    const struct shape *shape = eval_shape(&builder->environment, symbol->type);
    if (!shape) return report_fault(builder, symbol, "the type");
    uint32_t address = builder->slot_of.count;
    if (shape->cell_count > NETWORK_MAX_CELLS - address)
        return diag_error(builder->diag, STATUS_LIMIT, symbol->span.begin,
                          "'%s' and the variables before it need more than %d cells", symbol->name,
                          NETWORK_MAX_CELLS);
    struct slot slot = {.symbol = is_slot ? symbol : NULL,
                        .process = process,
                        .is_meta = (type_prefixes(symbol->type) & PREFIX_META) != 0};
    add_cells(builder, shape, &slot);
    uint32_t pushed = eval_push(&builder->environment, shape->cell_count);
    assert(pushed == address);
    (void)pushed;
    assert(builder->slot_of.count == address + shape->cell_count);
    *binding = (struct binding){address, shape};
    return true;
}

/* A double or string: all that is known of it is that it is not used. */
static bool is_unused(const struct symbol *symbol) {
    const struct type *type = type_strip(symbol->type);
    return type->kind == TYPE_DOUBLE || type->kind == TYPE_STRING;
}

/* A declared variable, constant or channel with its initial value. */
static bool add_symbol(struct builder *builder, const struct symbol *symbol,
                       const struct process *process, struct binding *binding) {
    if (is_unused(symbol)) return true; /* or the checker had refused it */
    bool is_valued = symbol_has_value(symbol);
    bool is_slot = is_valued && !symbol_is_const(symbol);
    if (!bind_symbol(builder, symbol, process, is_slot, binding)) return false;
    if (!is_valued) return true;
    if (!eval_initialise(&builder->environment, symbol, binding))
        return report_fault(builder, symbol, "the initial value");
    return true;
}

/* Value parameters that some edge or function assigns are part of the state
 * (Uppaal's documentation leaves that open; the checker has warned). */
static bool is_assigned(const struct builder *builder, const struct symbol *parameter,
                        const struct template *template) {
    assert(builder->writes[template->index]); /* collect_effects came first */
    return effects_writes(builder->writes[template->index], parameter);
}

/* Q(int k) = P(k) where P assigns its reference parameter: k would be part of the state. */
static bool changes_value_parameter(const struct builder *builder, const struct expr *argument,
                                    const struct symbol *parameter, const struct process *process) {
    const struct symbol *root = expr_root(argument);
    return root && root->kind == SYMBOL_PARAMETER && !root->is_reference &&
           !(type_prefixes(parameter->type) & PREFIX_CONST) &&
           is_assigned(builder, parameter, process->template);
}

/* A table of bindings for the parameters of an instance, with room for quantifiers. */
static struct binding *new_frame(const struct builder *builder, uint32_t count) {
    return ARENA_ARRAY(builder->arena, struct binding,
                       count + builder->model->system_frame_size + 1);
}

/* Binds the parameters of what an instance is made of: its arguments are evaluated with the
 * instance's own parameters in the frame. */
static bool bind_arguments(struct builder *builder, const struct instance *instance,
                           struct binding *outer, const struct process *process,
                           struct symbol *const *parameters, uint32_t count,
                           struct binding *bindings, bool is_template) {
    struct environment *environment = &builder->environment;
    for (uint32_t i = 0; i < count; i++) {
        const struct symbol *parameter = parameters[i];
        const struct expr *argument = instance->arguments[i];
        assert(parameter->kind == SYMBOL_PARAMETER);
        struct binding *binding = &bindings[parameter->index];
        environment->frame = outer;
        if (eval_binds_place(parameter, argument)) {
            if (!eval_lvalue(environment, argument, binding))
                return report_fault(builder, parameter, "the argument");
            if (!changes_value_parameter(builder, argument, parameter, process)) continue;
            return diag_error(builder->diag, STATUS_UNSUPPORTED, argument->span.begin,
                              "'%s' is a value parameter and cannot be passed on to the reference "
                              "parameter '%s', which is assigned",
                              expr_root(argument)->name, parameter->name);
        }
        bool is_slot = is_template && !symbol_is_const(parameter) &&
                       is_assigned(builder, parameter, process->template);
        environment->locals = is_template ? bindings : NULL;
        environment->frame = is_template ? NULL : bindings;
        bool ok = bind_symbol(builder, parameter, process, is_slot, binding);
        environment->locals = NULL;
        environment->frame = outer;
        if (!ok) return false;
        if (!eval_into(environment, argument, binding))
            return report_fault(builder, parameter, "the argument");
    }
    return true;
}

static bool bind_process(struct builder *builder, struct process *process,
                         const struct symbol *symbol, struct binding *outer) {
    while (symbol->kind == SYMBOL_INSTANCE) {
        const struct instance *instance = symbol->instance;
        const struct symbol *base = instance->base;
        bool is_template = base->kind == SYMBOL_TEMPLATE;
        struct symbol *const *parameters =
            is_template ? base->template->parameters : base->instance->parameters;
        uint32_t count =
            is_template ? base->template->parameter_count : base->instance->parameter_count;
        if (count != instance->argument_count)
            return diag_error(builder->diag, STATUS_INVALID, instance->symbol->span.begin,
                              "'%s' takes %u arguments, not %u", base->name, count,
                              instance->argument_count);
        struct binding *bindings = is_template ? process->locals : new_frame(builder, count);
        if (!bind_arguments(builder, instance, outer, process, parameters, count, bindings,
                            is_template))
            return false;
        outer = bindings;
        symbol = base;
    }
    assert(symbol->kind == SYMBOL_TEMPLATE && symbol->template == process->template);
    builder->environment.frame = NULL;
    builder->environment.locals = process->locals;
    const struct template *template = process->template;
    bool ok = true;
    for (uint32_t i = 0; i < template->symbol_count && ok; i++)
        if (template->symbols[i]->kind == SYMBOL_VARIABLE)
            ok = add_symbol(builder, template->symbols[i], process, &process->locals[i]);
    builder->environment.locals = NULL;
    return ok;
}

/* One process for every value of the free parameters, the first one most significant. */
static bool add_processes(struct builder *builder, const struct system_process *line) {
    struct symbol *symbol = line->symbol;
    bool is_template = symbol->kind == SYMBOL_TEMPLATE;
    struct symbol *const *parameters =
        is_template ? symbol->template->parameters : symbol->instance->parameters;
    uint32_t count =
        is_template ? symbol->template->parameter_count : symbol->instance->parameter_count;
    const struct shape **shapes = ARENA_ARRAY(builder->arena, const struct shape *, count + 1);
    int32_t *values = ARENA_ARRAY(builder->arena, int32_t, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        shapes[i] = eval_shape(&builder->environment, parameters[i]->type);
        if (!shapes[i] || shapes[i]->kind != SHAPE_CELL)
            return report_fault(builder, parameters[i], "the range");
        values[i] = shapes[i]->lower;
    }
    struct buffer name = {0};
    bool ok = true;
    for (bool more = true; more && ok;) {
        struct process process = {.template = symbol->template,
                                  .symbol = symbol,
                                  .index = builder->processes.count,
                                  .priority = line->priority};
        buffer_add_text(&name, symbol->name);
        for (uint32_t i = 0; i < count; i++) buffer_printf(&name, "%s%d", i ? "," : "(", values[i]);
        if (count) buffer_add_text(&name, ")");
        process.name = buffer_take(&name, builder->arena);
        process.locals =
            ARENA_ARRAY(builder->arena, struct binding, symbol->template->symbol_count + 1);
        struct binding *outer = is_template ? process.locals : new_frame(builder, count);
        VEC_PUSH(builder->arena, &builder->processes, process);
        struct process *added = &builder->processes.items[process.index];
        for (uint32_t i = 0; i < count && ok; i++) {
            bool is_slot = is_template && !symbol_is_const(parameters[i]) &&
                           is_assigned(builder, parameters[i], symbol->template);
            struct binding *binding = &outer[parameters[i]->index];
            ok = bind_symbol(builder, parameters[i], added, is_slot, binding);
            if (ok) builder->environment.cells[binding->address] = values[i];
        }
        ok = ok && bind_process(builder, added, symbol, outer);
        if (builder->processes.count >= NETWORK_MAX_PROCESSES) {
            diag_error(builder->diag, STATUS_LIMIT, line->span.begin,
                       "the system has more than %d processes", NETWORK_MAX_PROCESSES);
            ok = false;
        }
        more = false;
        for (uint32_t i = count; i-- > 0 && !more;) {
            more = values[i] < shapes[i]->upper;
            values[i] = more ? values[i] + 1 : shapes[i]->lower;
        }
    }
    buffer_close(&name);
    return ok;
}

static void collect_writes(struct builder *builder, const struct template *template) {
    struct effects_table *table = &builder->network->effects;
    struct effects *all = ARENA_NEW(builder->arena, struct effects);
    for (uint32_t i = 0; i < template->edge_count; i++)
        effects_add_list(table, all, &template->edges[i].updates);
    builder->writes[template->index] = all;
}

static void collect_functions(struct effects_table *table, const struct declaration_list *list) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i]->kind == DECLARATION_FUNCTION)
            effects_of_function(table, list->items[i]->function);
}

/* Of all functions first, so that later passes only look up. */
static void collect_effects(struct builder *builder) {
    const struct model *model = builder->model;
    struct network *network = builder->network;
    builder->writes =
        ARENA_ARRAY(builder->arena, const struct effects *, model->template_count + 1);
    collect_functions(&network->effects, &model->declarations);
    collect_functions(&network->effects, &model->system_declarations);
    for (uint32_t i = 0; i < model->template_count; i++)
        collect_functions(&network->effects, &model->templates[i]->declarations);
    for (uint32_t i = 0; i < model->template_count; i++)
        collect_writes(builder, model->templates[i]);
    network->labels = labels_of_model(builder->arena, model, &network->effects);
    network->namers = namers_find(builder->arena, model, &network->labels, &network->effects);
    const struct declaration_list *lists[] = {&model->declarations, &model->system_declarations};
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < lists[k]->count; i++) {
            const struct declaration *declaration = lists[k]->items[i];
            if (declaration->kind == DECLARATION_CHANNEL_PRIORITY) network->has_priorities = true;
            if (declaration->kind != DECLARATION_HOOK) continue;
            effects_add_list(&network->effects,
                             declaration->is_after ? &network->after_update
                                                   : &network->before_update,
                             &declaration->hook);
        }
    network->has_priorities |= model->has_process_priorities;
}

static bool build(struct builder *builder) {
    const struct model *model = builder->model;
    for (uint32_t i = 0; i < model->symbol_count; i++) {
        struct symbol *symbol = model->symbols[i];
        struct binding *binding = &builder->network->globals[i];
        if (symbol->kind != SYMBOL_VARIABLE) continue;
        if (!add_symbol(builder, symbol, NULL, binding)) return false;
        symbol->has_value = symbol_is_const(symbol) && binding->shape &&
                            binding->shape->kind == SHAPE_CELL && !binding->shape->is_scalar;
        if (symbol->has_value) symbol->value = builder->environment.cells[binding->address];
    }
    for (uint32_t i = 0; i < model->process_count; i++)
        if (!add_processes(builder, &model->processes[i])) return false;
    return true;
}

static void find_ranges(struct network *network) {
    uint32_t count = network->model->template_count;
    network->processes_of = ARENA_ARRAY(network->arena, struct process_range, count + 1);
    for (uint32_t p = 0; p < network->process_count; p++) {
        struct process_range *range = &network->processes_of[network->processes[p].template->index];
        if (!range->end) range->first = p;
        range->end = p + 1;
    }
}

/* Processes move while their vector grows, so slots point to them only now. */
static void finish(struct builder *builder) {
    struct network *network = builder->network;
    network->processes = builder->processes.items;
    network->process_count = builder->processes.count;
    find_ranges(network);
    network->slots = builder->slots.items;
    network->slot_count = builder->slots.count;
    network->slot_of = builder->slot_of.items;
    network->cell_count = builder->slot_of.count;
    network->cells = ARENA_ARRAY(builder->arena, int32_t, network->cell_count + 1);
    if (network->cell_count)
        memcpy(network->cells, builder->environment.cells,
               network->cell_count * sizeof *network->cells);
    for (uint32_t i = 0; i < network->slot_count; i++) {
        struct slot *slot = &network->slots[i];
        slot->initial = network->cells[slot->address];
        assert(network->slot_of[slot->address] == i);
        assert(!i || network->slots[i - 1].address < slot->address);
        assert(slot->lower <= slot->initial && slot->initial <= slot->upper);
    }
    handed_init(&network->handed, builder->arena, builder->model, network->cell_count);
    for (uint32_t p = 0; p < network->process_count; p++) {
        struct process *process = &network->processes[p];
        assert(process->index == p);
        for (uint32_t i = 0; i < process->template->symbol_count; i++) {
            const struct symbol *symbol = process->template->symbols[i];
            const struct binding *binding = &process->locals[i];
            if (!binding->shape) continue;
            if (symbol->is_reference) handed_add(&network->handed, symbol, binding);
            for (uint32_t k = 0; k < binding->shape->cell_count && !symbol->is_reference; k++) {
                uint32_t slot = network->slot_of[binding->address + k];
                if (slot == NO_SLOT) continue;
                assert(network->slots[slot].offset == k && network->slots[slot].symbol == symbol);
                network->slots[slot].process = process;
            }
        }
    }
}

/* Meta variables whose values stay. */
static void carry(struct network *network) {
    persistent_find(&network->persistent, network->arena, network->model, &network->handed);
    for (uint32_t i = 0; i < network->persistent.count; i++)
        for (uint32_t k = 0; k < network->slot_count; k++) {
            struct slot *slot = &network->slots[k];
            if (slot->symbol != network->persistent.items[i].symbol) continue;
            slot->is_persistent = true;
            slot->is_meta = false;
        }
}

static bool check_quantifiers(struct builder *builder) {
    const struct network *network = builder->network;
    struct environment *environment = &builder->environment;
    const struct expr *empty = empty_quantifier_of_model(environment, builder->model);
    bool is_of_process = !empty;
    for (uint32_t p = 0; p < network->process_count && !empty; p++)
        empty = empty_quantifier(environment, network->processes[p].template,
                                 network->processes[p].locals);
    return !empty ||
           diag_error(
               builder->diag, STATUS_UNSUPPORTED, empty->bound->span.begin,
               "the range of '%s' has no values%s; quantifiers over nothing are not supported",
               empty->bound->name, is_of_process ? " in some process" : "");
}

struct network *network_new(struct arena *arena, const struct model *model) {
    struct network *network = ARENA_NEW(arena, struct network);
    network->arena = arena;
    network->model = model;
    effects_table_init(&network->effects, arena);
    network->globals = ARENA_ARRAY(arena, struct binding, model->symbol_count + 1);
    struct builder builder = {
        .arena = arena, .network = network, .model = model, .diag = model->diag};
    network_environment(network, &builder.environment, arena);
    collect_effects(&builder);
    bool ok = build(&builder);
    if (ok) finish(&builder);
    ok = ok && check_quantifiers(&builder);
    if (ok) carry(network);
    eval_close(&builder.environment);
    DEBUG_CHECK(network->seal = model_seal(model));
    return ok ? network : NULL;
}

void network_check(const struct network *network) {
    assert(network->seal == model_seal(network->model));
}

struct network *network_with_model(struct arena *arena, const struct network *network,
                                   const struct model *model) {
    assert(model->templates == network->model->templates);
    struct network *copy = ARENA_NEW(arena, struct network);
    *copy = *network;
    copy->model = model;
    return copy;
}

struct network *network_with_labels(struct arena *arena, const struct network *network,
                                    const struct network_labels *labels) {
    struct network *copy = ARENA_NEW(arena, struct network);
    *copy = *network;
    copy->labels = labels_copy(arena, network->model, labels);
    labels_find_effects(network->model, &copy->labels, &copy->effects);
    return copy;
}

static const struct symbol *used_clock(struct symbol *const *symbols, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (symbol_is_clock(symbols[i]) && symbols[i]->is_used) return symbols[i];
    return NULL;
}

const struct symbol *network_idle_clock(const struct network *network) {
    const struct model *model = network->model;
    const struct symbol *found = used_clock(model->symbols, model->symbol_count);
    for (uint32_t t = 0; t < model->template_count && !found; t++)
        found = used_clock(model->templates[t]->symbols, model->templates[t]->symbol_count);
    return network_is_timed(network) ? NULL : found;
}

bool network_refuse_time(const struct network *network, struct diag *diag) {
    const struct model *model = network->model;
    if (!network_is_timed(network)) return false;
    diag_error(
        diag, STATUS_UNSUPPORTED, model->timed_at.begin,
        "clock '%s' is tested here, and models with clocks cannot be explored; "
        "`varabs IN.xml --untime --may` writes an abstraction without clocks, which can, and "
        "`varabs decide --untime` answers what needs no time",
        model->timed_by->name);
    return true;
}

const struct effects *network_effects(const struct network *network,
                                      const struct function *function) {
    return effects_of_function((struct effects_table *)&network->effects, function);
}

const struct shape *network_shape(const struct network *network, const struct template *template,
                                  const struct symbol *symbol) {
    if (!template) return network->globals[symbol->index].shape;
    struct process_range range = network->processes_of[template->index];
    return range.end ? network->processes[range.first].locals[symbol->index].shape : NULL;
}

static bool has_same_layout(const struct shape *left, const struct shape *right) {
    if (!right || left->kind != right->kind || left->cell_count != right->cell_count) return false;
    if (left->kind == SHAPE_ARRAY)
        return left->lower == right->lower && left->upper == right->upper &&
               has_same_layout(left->element, right->element);
    for (uint32_t i = 0; i < left->field_count; i++)
        if (!has_same_layout(left->fields[i], right->fields[i])) return false;
    return true;
}

bool network_has_one_shape(const struct network *network, const struct template *template,
                           const struct symbol *symbol) {
    const struct shape *shape = network_shape(network, template, symbol);
    for (uint32_t p = 0; template && p < network->process_count; p++)
        if (network->processes[p].template == template &&
            !has_same_layout(shape, network->processes[p].locals[symbol->index].shape))
            return false;
    return true;
}
