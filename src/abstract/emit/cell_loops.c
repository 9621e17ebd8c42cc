#include "abstract/emit/cell_loops.h"

#include "abstract/facts/names.h"
#include "lang/print/print.h"
#include "lang/syntax/frame.h"

#include <assert.h>
#include <string.h>

/* An array of single cells that is as large in all processes of the template; else NULL. */
static const struct shape *array_shape(const struct network *network,
                                       const struct template *template,
                                       const struct symbol *variable) {
    const struct shape *shape = NULL;
    if (variable->type->kind != TYPE_ARRAY) return NULL;
    if (variable->scope == SCOPE_GLOBAL) shape = network->globals[variable->index].shape;
    for (uint32_t p = 0; variable->scope != SCOPE_GLOBAL && p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        if (process->template != template) continue;
        const struct shape *own = process->locals[variable->index].shape;
        if (!own || (shape && (own->lower != shape->lower || own->upper != shape->upper)))
            return NULL;
        shape = own;
    }
    return shape && shape->kind == SHAPE_ARRAY && shape->element->kind == SHAPE_CELL ? shape : NULL;
}

/* How many items from the first one on are all cells of an array, in order, with the same value; 0
 * if they are not. */
static uint32_t whole_array(const struct cell_loops *loops, const struct template *template,
                            const struct cell_assignment *items, uint32_t count) {
    const struct symbol *variable = items->variable;
    const struct shape *shape = variable ? array_shape(loops->network, template, variable) : NULL;
    if (!shape || shape->cell_count > count) return 0;
    for (uint32_t i = 0; i < shape->cell_count; i++)
        if (items[i].variable != variable || items[i].index != (int64_t)shape->lower + i ||
            strcmp(items[i].value, items->value) != 0)
            return 0;
    return shape->cell_count;
}

static bool is_taken(const struct cell_loops *loops, const char *name) {
    bool is_there = intern_find(loops->network->model->names, name) != NULL;
    for (uint32_t i = 0; i < loops->list.count && !is_there; i++)
        is_there = !strncmp(loops->list.items[i].call, name, strlen(name));
    return is_there;
}

/* A name that the model does not have, the same whenever it is written. */
static const char *free_name(const struct cell_loops *loops, const char *base) {
    const char *name = base;
    for (uint32_t n = 2; is_taken(loops, name); n++)
        name = arena_printf(loops->arena, "%s%u", base, n);
    return name;
}

static struct cell_loop *find_loop(const struct cell_loops *loops, const struct template *template,
                                   const struct cell_assignment *item) {
    for (uint32_t i = 0; i < loops->list.count; i++) {
        struct cell_loop *loop = &loops->list.items[i];
        if (loop->template == template && loop->variable == item->variable &&
            !strcmp(loop->value, item->value))
            return loop;
    }
    return NULL;
}

/* The type of a global array may mean something else in the template. */
static const char *function_text(struct arena *arena, const struct template *template,
                                 const struct cell_assignment *item, const struct shape *shape,
                                 const char *name, const char *cell) {
    const struct type *index = item->variable->type->index;
    bool is_said = index && !hidden_in_type(template, NULL, index);
    const char *range = is_said ? type_text(index, arena)
                                : arena_printf(arena, "int[%d,%d]", shape->lower, shape->upper);
    return arena_printf(arena, "void %s() { for (%s : %s) %s[%s] = %s; }", name, cell, range,
                        item->variable->name, cell, item->value);
}

static bool is_select(const struct template *template, const char *name) {
    for (uint32_t i = 0; i < template->edge_count; i++)
        for (uint32_t k = 0; k < template->edges[i].select_count; k++)
            if (!strcmp(template->edges[i].selects[k]->name, name)) return true;
    return false;
}

/* Whether the template declares a function by this text, means this variable by it, and can call it
 * at every edge. What stands in a comment, or further up where a global variable has the name, is
 * something else. */
static bool is_declared(const struct cell_loops *loops, const struct template *template,
                        const struct symbol *variable, const char *name, const char *text) {
    const struct element *declaration = template->xml->declaration;
    const char *interned = intern_find(loops->network->model->names, name);
    const struct symbol *known = interned ? frame_find_here(template->frame, interned) : NULL;
    if (!declaration || !known || !known->function || known->function->template != template ||
        is_select(template, name))
        return false;
    const struct text *written = &declaration->text;
    size_t before = strlen("void ") + strlen(name) + strlen("(");
    size_t at = known->function->parameter_span.begin - written->begin;
    assert(at <= written->content.size);
    return at >= before && !strncmp(written->content.data + at - before, text, strlen(text)) &&
           effects_writes(network_effects(loops->network, known->function), variable);
}

/* Where the template has the function already, by an abstraction before, it costs nothing. */
static struct cell_loop *add_loop(struct cell_loops *loops, const struct template *template,
                                  const struct cell_assignment *item) {
    struct arena *arena = loops->arena;
    const struct shape *shape = array_shape(loops->network, template, item->variable);
    const char *name = arena_printf(arena, "reset_%s", item->variable->name), *cell = "cell";
    const char *text = function_text(arena, template, item, shape, name, cell);
    if (is_declared(loops, template, item->variable, name, text)) {
        text = "";
    } else {
        name = free_name(loops, name);
        text = function_text(arena, template, item, shape, name, free_name(loops, cell));
    }
    struct cell_loop loop = {.template = template,
                             .variable = item->variable,
                             .value = item->value,
                             .call = arena_printf(arena, "%s()", name),
                             .text = text};
    VEC_PUSH(arena, &loops->list, loop);
    return &loops->list.items[loops->list.count - 1];
}

void cell_loops_count(struct cell_loops *loops, const struct template *template,
                      const struct cell_assignment *items, uint32_t count) {
    for (uint32_t i = 0, covered; i < count; i += covered ? covered : 1) {
        covered = whole_array(loops, template, &items[i], count - i);
        if (!covered) continue;
        struct cell_loop *loop = find_loop(loops, template, &items[i]);
        if (!loop) loop = add_loop(loops, template, &items[i]);
        size_t size = 0;
        for (uint32_t k = i; k < i + covered; k++) size += items[k].size + strlen(", ");
        if (size > strlen(loop->call)) loop->saved += size - strlen(loop->call);
    }
}

static bool pays(const struct cell_loop *loop) { return loop->saved > strlen(loop->text); }

const char *cell_loops_call(const struct cell_loops *loops, const struct template *template,
                            const struct cell_assignment *items, uint32_t count,
                            uint32_t *covered) {
    *covered = whole_array(loops, template, items, count);
    const struct cell_loop *loop = *covered ? find_loop(loops, template, items) : NULL;
    return loop && pays(loop) ? loop->call : NULL;
}

const char *cell_loops_text(const struct cell_loops *loops, const struct template *template) {
    const char *text = "";
    for (uint32_t i = 0; i < loops->list.count; i++)
        if (loops->list.items[i].template == template && pays(&loops->list.items[i]) &&
            *loops->list.items[i].text)
            text = arena_printf(loops->arena, "%s%s\n", text, loops->list.items[i].text);
    return text;
}
