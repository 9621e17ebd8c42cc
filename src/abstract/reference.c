/* Which parameters stand for variables that are wanted, and what for. */
#include "abstract/reference.h"

#include "abstract/request.h"
#include "lang/print.h"
#include "lang/scope.h"

#include <assert.h>

static const struct symbol *symbol_of(const struct network *network, const char *name) {
    return frame_find_here(network->model->frame, name);
}

bool reference_stands_for(const struct network *network, const struct binding *binding,
                          const struct symbol *symbol) {
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

/* Down to the part. */
static void follow(struct reference_path *path, const struct type *type, const struct shape *shape,
                   uint32_t offset, const struct shape *part, struct arena *arena) {
    struct buffer text = {0}, form = {0};
    buffer_add_text(&text, path->variable);
    buffer_add_text(&form, path->variable);
    while (offset || shape != part) {
        const struct type *plain = type_strip(type);
        assert(shape->kind != SHAPE_CELL);
        if (shape->kind == SHAPE_ARRAY) {
            bool is_scalar = plain->index && type_strip(plain->index)->kind == TYPE_SCALAR;
            uint32_t size = shape->element->cell_count;
            struct buffer index = {0};
            if (is_scalar)
                print_base_type(&index, plain->index);
            else
                buffer_printf(&index, "int[%d,%d]", shape->lower, shape->upper);
            VEC_PUSH(arena, &path->indices, buffer_take(&index, arena));
            buffer_close(&index);
            path->has_scalar |= is_scalar;
            buffer_printf(&text, "[%d]", shape->lower + (int32_t)(offset / size));
            buffer_add_text(&form, "[]");
            offset %= size;
            type = plain->element;
            shape = shape->element;
            continue;
        }
        uint32_t field = shape->field_count - 1;
        while (shape->offsets[field] > offset) field--;
        buffer_printf(&text, ".%s", plain->fields[field].name);
        buffer_printf(&form, ".%s", plain->fields[field].name);
        offset -= shape->offsets[field];
        type = plain->fields[field].type;
        shape = shape->fields[field];
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
        if (!reference_stands_for(network, binding, symbol)) continue;
        const struct binding *variable = &network->globals[symbol->index];
        *path = (struct reference_path){.variable = symbol->name};
        follow(path, symbol->type, variable->shape, binding->address - variable->address,
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
    const char *copy = buffer_take(&key, arena);
    buffer_close(&key);
    return copy;
}
