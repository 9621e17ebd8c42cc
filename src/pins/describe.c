/* What LTSmin has to know of a model: the state, groups of steps, labels. */
#include "pins/module_internal.h"

struct types {
    struct lts_type_s *all;
    int number, truth, action;
    int *locations; /* by template, or -1 */
};

/* The type of the locations of a template. */
static int location_type(struct types *types, const struct template *template,
                         struct arena *arena) {
    int *type = &types->locations[template->index];
    if (*type < 0)
        *type = lts_type_put_type(types->all,
                                  arena_printf(arena, "location of %s", template->symbol->name),
                                  LTS_ENUM, NULL);
    return *type;
}

static void describe_state(struct types *types, const struct vector *vector, struct arena *arena) {
    lts_type_set_state_length(types->all, (int)vector->length);
    for (uint32_t i = 0; i < vector->length; i++) {
        const struct process *process = vector_process(vector, i);
        lts_type_set_state_name(types->all, (int)i, vector_name(vector, i, arena));
        lts_type_set_state_typeno(types->all, (int)i,
                                  process ? location_type(types, process->template, arena)
                                          : types->number);
    }
}

static void describe_labels(struct types *types, const struct module *module, struct arena *arena) {
    lts_type_set_edge_label_count(types->all, 1);
    lts_type_set_edge_label_name(types->all, 0, "action");
    lts_type_set_edge_label_typeno(types->all, 0, types->action);
    lts_type_set_state_label_count(types->all, (int)module->labels.count);
    for (uint32_t i = 0; i < module->labels.count; i++) {
        uint32_t number = module->labels.items[i].query + 1;
        lts_type_set_state_label_name(types->all, (int)i, arena_printf(arena, "query_%u", number));
        lts_type_set_state_label_typeno(types->all, (int)i, types->truth);
    }
}

static struct types describe_types(const struct module *module, struct arena *arena) {
    const struct model *parsed = module->program->network->model;
    struct types types = {.all = lts_type_create(),
                          .locations = ARENA_ARRAY(arena, int, parsed->template_count)};
    for (uint32_t t = 0; t < parsed->template_count; t++) types.locations[t] = -1;
    types.number = lts_type_put_type(types.all, "number", LTS_DIRECT, NULL);
    types.truth = lts_type_put_type(types.all, "bool", LTS_BOOL, NULL);
    types.action = lts_type_put_type(types.all, "action", LTS_CHUNK, NULL);
    describe_state(&types, &module->vector, arena);
    describe_labels(&types, module, arena);
    return types;
}

static struct chunk text_chunk(const char *text) {
    return (struct chunk){(uint32_t)strlen(text), (char *)text};
}

/* Truth has no texts: LTSmin writes none for a type of its own. */
static void describe_values(const struct types *types, const struct module *module,
                            struct grey_box_model *model) {
    const struct model *parsed = module->program->network->model;
    for (uint32_t t = 0; t < parsed->template_count; t++) {
        const struct template *template = parsed->templates[t];
        for (uint32_t l = 0; types->locations[t] >= 0 && l < template->location_count; l++)
            pins_chunk_put_at(model, types->locations[t], text_chunk(template->locations[l].name),
                              (int)l);
    }
}

/* LTSmin keeps it. */
static struct matrix *new_matrix(uint32_t rows, const struct vector *vector) {
    struct matrix *matrix = heap_resize(NULL, MATRIX_ROOM, 1);
    memset(matrix, 0, MATRIX_ROOM);
    dm_create(matrix, (int)rows, (int)vector->length);
    return matrix;
}

/* What has all of the marks, or, where none are given, any; only them: and no others. */
static struct matrix *group_matrix(const struct module *module, unsigned marks, bool only_them) {
    const struct vector *vector = &module->vector;
    struct matrix *matrix = new_matrix(module->groups.items.count, vector);
    for (uint32_t g = 0; g < module->groups.items.count; g++) {
        const struct step_group *group = &module->groups.items.items[g];
        for (uint32_t i = 0; i < group->field_count; i++) {
            uint32_t place = vector->places[group->fields[i]];
            bool is_set = only_them ? group->marks[i] == marks : (group->marks[i] & marks) == marks;
            if (is_set && place != NO_PLACE) dm_set(matrix, (int)g, (int)place);
        }
    }
    return matrix;
}

static struct matrix *label_matrix(const struct module *module) {
    const struct vector *vector = &module->vector;
    const struct layout *layout = module->program->layout;
    struct matrix *matrix = new_matrix(module->labels.count, vector);
    for (uint32_t k = 0; k < module->labels.count; k++) {
        const struct state_label *label = &module->labels.items[k];
        for (uint32_t i = 0; i < vector->length; i++) {
            bool reads = label->reads_all;
            if (vector->fields[i] != committed_field(layout)) {
                const struct packed *field = &layout->fields[vector->fields[i]];
                reads |= (label->bits[field->word] & field->mask << field->shift) != 0;
            }
            if (reads) dm_set(matrix, (int)k, (int)i);
        }
    }
    return matrix;
}

static void describe_initial(struct module *module, struct grey_box_model *model) {
    const struct vector *vector = &module->vector;
    vector_clear(vector, &module->state);
    module->state.committed = count_committed(module->program, module->state.words);
    for (uint32_t i = 0; i < vector->length; i++)
        module->after[i] = vector_value(vector, vector->fields[i], &module->state);
    GBsetInitialState(model, module->after);
}

/* What is written on all ways, and so is not read, has only one mark. */
void describe(struct module *module, struct grey_box_model *model) {
    struct arena *arena = &module->session.arena;
    struct types types = describe_types(module, arena);
    GBsetLTStype(model, types.all);
    describe_values(&types, module, model);
    describe_initial(module, model);
    GBsetDMInfo(model, group_matrix(module, 0, false));
    GBsetDMInfoRead(model, group_matrix(module, FOOTPRINT_READS, false));
    GBsetDMInfoMayWrite(model, group_matrix(module, FOOTPRINT_WRITES, false));
    GBsetDMInfoMustWrite(model, group_matrix(module, FOOTPRINT_WRITES, true));
    GBsetStateLabelInfo(model, label_matrix(module));
    GBsetNextStateLong(model, next_steps);
    GBsetStateLabelLong(model, read_label);
    action_texts_init(&module->actions, arena, module->program, model, types.action);
}
