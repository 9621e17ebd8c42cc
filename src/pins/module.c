/* The module that LTSmin loads: from a file to everything that can happen in the model. */
#include "explore/successor/assemble.h"
#include "export/program_c.h"
#include "pins/module_internal.h"

#include <stdlib.h>

#define SEEN __attribute__((visibility("default")))

enum { EXIT_FAILED = 255 };

extern char pins_plugin_name[];
extern struct loader_record pins_loaders[];

void module_fail(struct module *module) {
    if (module->expander.machine.has_overflowed)
        diag_error(&module->session.diag, STATUS_LIMIT, 0, "a value does not fit its variable");
    diag_print(&module->session.diag, stderr);
    HREabort(EXIT_FAILED);
}

/* All steps as one group that may read and write everything. */
static void make_whole(struct module *module) {
    struct arena *arena = &module->session.arena;
    const struct layout *layout = module->program->layout;
    struct step_group group = {.fields = ARENA_ARRAY(arena, uint32_t, layout->field_count),
                               .marks = ARENA_ARRAY(arena, unsigned char, layout->field_count)};
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const struct packed *field = &layout->fields[i];
        if (field->word >= layout->stored_words || !field->mask) continue;
        group.marks[group.field_count] = FOOTPRINT_READS | FOOTPRINT_WRITES;
        group.fields[group.field_count++] = i;
    }
    module->is_whole = true;
    module->groups = (struct groups){0};
    VEC_PUSH(arena, &module->groups.items, group);
}

static void make_groups(struct module *module) {
    struct arena *arena = &module->session.arena;
    const char *problem = groups_init(&module->groups, arena, module->program, 0, UINT32_MAX, NULL);
    if (problem)
        fprintf(stderr,
                "varabs: warning: %s: %s: all steps are one group, which only the explicit tools "
                "of LTSmin can be used with\n",
                module->session.diag.source->name, problem);
    if (problem || module->groups.is_late || !module->groups.items.count) make_whole(module);
}

static void prepare(struct module *module) {
    struct arena *arena = &module->session.arena;
    find_labels(module);
    make_groups(module);
    vector_init(&module->vector, arena, module->program, &module->groups);
    module->state.words = ARENA_ARRAY(arena, uint64_t, module->program->layout->word_count + 1);
    module->after = ARENA_ARRAY(arena, int, module->vector.length);
    expander_init(&module->expander, module->program);
    module->expander.is_recording = true;
}

static void end(struct grey_box_model *model) {
    struct module *module = GBgetContext(model);
    expander_close(&module->expander);
    program_close(module->program);
    session_drop(&module->session);
    free(module);
}

static void load(struct grey_box_model *model, const char *path) {
    struct module *module = heap_resize(NULL, 1, sizeof *module);
    *module = (struct module){0};
    bool ok = session_open(&module->session, path);
    if (ok) module->program = export_prepare(&module->session.arena, module->session.network);
    if (!module->program) module_fail(module);
    prepare(module);
    GBsetContext(model, module);
    describe(module, model);
    GBsetExit(model, end);
}

SEEN char pins_plugin_name[] = "varabs";
SEEN struct loader_record pins_loaders[] = {{"xml", load}, {NULL, NULL}};
