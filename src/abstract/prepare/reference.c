/* Which parameters stand for variables that are wanted, and what for. */
#include "abstract/prepare/reference.h"

#include "abstract/request/named.h"
#include "abstract/request/obstacle.h"
#include "lang/print/print.h"
#include "lang/syntax/frame.h"

#include <assert.h>

static const struct symbol *symbol_of(const struct network *network, const char *name) {
    return frame_find_here(network->model->frame, name);
}

bool reference_stands_for(const struct network *network, const struct binding *binding,
                          const struct symbol *symbol) {
    assert(symbol->scope == SCOPE_GLOBAL && symbol->index < network->model->symbol_count);
    const struct binding *variable = &network->globals[symbol->index];
    return binding->shape && binding->address >= variable->address &&
           binding->address < variable->address + variable->shape->cell_count;
}

void references_want(struct references *references, const struct network *network,
                     const struct symbol *symbol, struct arena *arena) {
    for (uint32_t i = 0; i < references->wanted.count; i++)
        if (references->wanted.items[i] == symbol->name) return;
    if (variable_is_passed(network, symbol)) VEC_PUSH(arena, &references->wanted, symbol->name);
}

bool references_want_arguments(struct references *references, const struct network *network,
                               const char *const *arguments, uint32_t count, struct arena *arena) {
    struct diag unheard;
    bool names_processes = false;
    diag_init(&unheard, arena, NULL);
    for (uint32_t i = 0; i < count; i++) {
        struct str rest = {arguments[i], strcspn(arguments[i], "@")}, word;
        struct named_variable named;
        while (request_next_word(&rest, &word)) {
            request_read(arena, network, word, 0, &unheard, &named);
            names_processes |= named.set != NULL;
            if (named.symbol && !named.template)
                references_want(references, network, named.symbol, arena);
        }
    }
    return names_processes;
}

/* The type of the index of an array, as text. */
static const char *index_text(const struct shape_place *place, bool is_scalar,
                              struct arena *arena) {
    struct buffer text = {0};
    if (is_scalar)
        print_base_type(&text, type_strip(place->type)->index);
    else
        buffer_printf(&text, "int[%d,%d]", place->shape->lower, place->shape->upper);
    return buffer_finish(&text, arena);
}

/* Follows a variable down to the part that a parameter stands for, and writes the text and the
 * form of the path. */
static void follow(struct reference_path *path, struct shape_place place, const struct shape *part,
                   struct arena *arena) {
    struct buffer text = {0}, form = {0};
    buffer_add_text(&text, path->variable);
    buffer_add_text(&form, path->variable);
    while (place.offset || place.shape != part) {
        assert(place.shape->kind != SHAPE_CELL);
        size_t size = text.size;
        const struct type *index = type_strip(place.type)->index;
        bool is_array = place.shape->kind == SHAPE_ARRAY;
        bool is_scalar = is_array && index && type_strip(index)->kind == TYPE_SCALAR;
        if (is_array) VEC_PUSH(arena, &path->indices, index_text(&place, is_scalar, arena));
        path->has_scalar |= is_scalar;
        shape_step(&text, &place);
        buffer_add_text(&form, is_array ? "[]" : text.data + size);
    }
    path->text = buffer_take(&text, arena);
    path->form = buffer_take(&form, arena);
    buffer_close(&text);
    buffer_close(&form);
}

bool reference_find(const struct references *references, const struct network *network,
                    const struct process *process, const struct symbol *parameter,
                    struct reference_path *path, struct arena *arena) {
    const struct binding *binding = &process->locals[parameter->index];
    for (uint32_t i = 0; parameter->is_reference && i < references->wanted.count; i++) {
        const struct symbol *symbol = symbol_of(network, references->wanted.items[i]);
        assert(symbol); /* what is wanted is declared globally */
        if (!reference_stands_for(network, binding, symbol)) continue;
        const struct binding *variable = &network->globals[symbol->index];
        *path = (struct reference_path){.variable = symbol->name};
        follow(path,
               (struct shape_place){symbol->type, variable->shape,
                                    binding->address - variable->address},
               binding->shape, arena);
        return true;
    }
    return false;
}

const char *references_key(const struct references *references, const struct network *network,
                           const struct process *process, struct arena *arena) {
    struct buffer key = {0};
    const struct template *template = process->template;
    buffer_add_text(&key, "");
    for (uint32_t k = 0; k < template->parameter_count && references->wanted.count; k++) {
        struct reference_path path;
        bool is_wanted =
            reference_find(references, network, process, template->parameters[k], &path, arena);
        buffer_printf(&key, "%s;", is_wanted ? path.form : "");
    }
    return buffer_finish(&key, arena);
}
