#include "approx_sample.h"

#include "lang/check/check.h"
#include "lang/syntax/parse.h"
#include "xml/load.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

struct model *sample_check(struct arena *arena, struct interner *names, struct document *document,
                           struct diag *diag) {
    struct model *model = model_parse(arena, names, document, diag);
    return !diag->error_count && model_check(model) ? model : NULL;
}

static void begin(struct sample *sample) {
    *sample = (struct sample){0};
    arena_init(&sample->arena);
    interner_init(&sample->names, &sample->arena);
    diag_init(&sample->diag, &sample->arena, NULL);
}

static void finish(struct sample *sample, bool is_parsed) {
    if (is_parsed)
        sample->model =
            sample_check(&sample->arena, &sample->names, &sample->document, &sample->diag);
    if (sample->model) sample->network = network_new(&sample->arena, sample->model);
    if (sample->network) return;
    diag_print(&sample->diag, stderr);
    ck_abort_msg("the model is not valid");
}

void sample_open(struct sample *sample, const char *text) {
    begin(sample);
    finish(sample, document_parse(&sample->document, &sample->arena, &sample->names, "model.xml",
                                  str_of(text), &sample->diag));
}

void sample_open_file(struct sample *sample, const char *path) {
    begin(sample);
    finish(sample,
           document_load(&sample->document, &sample->arena, &sample->names, path, &sample->diag));
}

void sample_close(struct sample *sample) { arena_close(&sample->arena); }

static bool is_named(const struct slot *slot, struct str name) {
    for (size_t i = 0; i < name.size; i++) {
        if (name.data[i] != '.') continue;
        struct str owner = {name.data, i}, rest = {name.data + i + 1, name.size - i - 1};
        return slot->process && str_is(owner, slot->process->template->symbol->name) &&
               str_is(rest, slot->symbol->name);
    }
    return str_is(name, slot->symbol->name);
}

/* The next word of a list, which is moved behind it. */
static struct str next_word(const char **list) {
    while (**list == ' ') (*list)++;
    struct str word = {*list, strcspn(*list, " ")};
    *list += word.size;
    return word;
}

void sample_analyse(struct sample *sample, const char *removed, enum approximation approximation,
                    uint64_t budget) {
    const struct network *network = sample->network;
    sample->is_removed = ARENA_ARRAY(&sample->arena, bool, network->slot_count + 1);
    for (struct str word = next_word(&removed); word.size; word = next_word(&removed)) {
        bool found = false;
        for (uint32_t i = 0; i < network->slot_count; i++)
            if (is_named(&network->slots[i], word)) sample->is_removed[i] = found = true;
        ck_assert_msg(found, "no variable %.*s", (int)word.size, word.data);
    }
    struct analysis_options options = {
        .approximation = approximation, .budget = budget, .is_must = sample->is_must};
    sample->analysis =
        analyse(&sample->arena, network, sample->is_removed, &options, &sample->diag);
}

const struct template *sample_template(const struct sample *sample, const char *name) {
    for (uint32_t i = 0; i < sample->model->template_count; i++)
        if (!strcmp(sample->model->templates[i]->symbol->name, name))
            return sample->model->templates[i];
    ck_abort_msg("no template %s", name);
    return NULL;
}

uint32_t sample_location(const struct template *template, const char *name) {
    for (uint32_t i = 0; i < template->location_count; i++)
        if (!strcmp(template->locations[i].name, name)) return i;
    if (!strcmp(name, "branchpoint") && template->branchpoint_count)
        return template->location_count;
    ck_abort_msg("no location %s", name);
    return 0;
}

const struct symbol *sample_symbol(const struct sample *sample, const struct template *template,
                                   const char *name) {
    for (uint32_t i = 0; template && i < template->symbol_count; i++)
        if (!strcmp(template->symbols[i]->name, name)) return template->symbols[i];
    for (uint32_t i = 0; i < sample->model->symbol_count; i++)
        if (!strcmp(sample->model->symbols[i]->name, name)) return sample->model->symbols[i];
    ck_abort_msg("no variable %s", name);
    return NULL;
}

/* "T.location" */
static const struct template *find_place(struct sample *sample, const char *place,
                                         uint32_t *location) {
    const char *dot = strchr(place, '.');
    ck_assert_ptr_nonnull(dot);
    const struct template *template =
        sample_template(sample, arena_copy(&sample->arena, place, (size_t)(dot - place)));
    *location = sample_location(template, dot + 1);
    return template;
}

/* "x" or "x[2]" */
static struct variable_cell find_cell(struct sample *sample, const struct template *template,
                                      struct str name) {
    struct variable_cell cell = {0};
    const char *bracket = memchr(name.data, '[', name.size);
    if (bracket) {
        cell.offset = (uint32_t)strtoul(bracket + 1, NULL, 10);
        name.size = (size_t)(bracket - name.data);
    }
    cell.symbol = sample_symbol(sample, template, arena_copy(&sample->arena, name.data, name.size));
    return cell;
}

static const char *describe(struct sample *sample, const struct value_set *set) {
    struct buffer text = {0};
    if (set->is_interval && !value_set_is_empty(set)) {
        buffer_printf(&text, "%d..%d", set->lower, set->upper);
    } else {
        buffer_add_text(&text, "{");
        for (uint32_t i = 0; i < set->count; i++)
            buffer_printf(&text, "%s%d", i ? "," : "", set->values[i]);
        buffer_add_text(&text, "}");
    }
    const char *copy = buffer_take(&text, &sample->arena);
    buffer_close(&text);
    return copy;
}

const char *sample_values(struct sample *sample, const char *place, const char *name) {
    uint32_t location;
    const struct template *template = find_place(sample, place, &location);
    struct variable_cell cell = find_cell(sample, template, str_of(name));
    return describe(sample, analysis_values(sample->analysis, template, location, cell.symbol,
                                            cell.offset, false));
}

const char *sample_shared(struct sample *sample, const char *name) {
    const struct network *network = sample->network;
    struct variable_cell cell = {0};
    const char *bracket = strchr(name, '[');
    if (bracket) cell.offset = (uint32_t)strtoul(bracket + 1, NULL, 10);
    struct str plain = {name, bracket ? (size_t)(bracket - name) : strlen(name)};
    for (uint32_t i = 0; i < network->slot_count; i++)
        if (!network->slots[i].process && str_is(plain, network->slots[i].symbol->name) &&
            network->slots[i].offset == cell.offset)
            return describe(sample, &sample->analysis->shared[i]);
    ck_abort_msg("no variable %s", name);
    return NULL;
}

static uint32_t sorted_width;

static int compare_rows(const void *left, const void *right) {
    const int32_t *a = left, *b = right;
    for (uint32_t i = 0; i < sorted_width; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

const char *sample_tuples(struct sample *sample, const char *place, const char *names) {
    uint32_t location, count = 0;
    const struct template *template = find_place(sample, place, &location);
    struct variable_cell cells[8];
    for (struct str word = next_word(&names); word.size; word = next_word(&names))
        cells[count++] = find_cell(sample, template, word);
    struct tuple_set tuples;
    if (!analysis_tuples(sample->analysis, template, location, cells, count, 1000, &tuples,
                         &sample->arena))
        return "too many";
    sorted_width = count;
    if (tuples.count)
        qsort(tuples.values, tuples.count, count * sizeof *tuples.values, compare_rows);
    struct buffer text = {0};
    for (uint32_t i = 0; i < tuples.count; i++)
        for (uint32_t k = 0; k < count; k++)
            buffer_printf(&text, "%s%d%s", k ? "," : "(", tuples.values[i * count + k],
                          k + 1 == count ? ")" : "");
    const char *copy = text.size ? buffer_take(&text, &sample->arena) : "";
    buffer_close(&text);
    return copy;
}

bool sample_reaches(struct sample *sample, const char *template, const char *location) {
    const struct template *of = sample_template(sample, template);
    return analysis_reaches(sample->analysis, of, sample_location(of, location));
}

const struct edge_fact *sample_fact(struct sample *sample, const char *template, uint32_t edge) {
    return &sample->analysis->edges[sample_template(sample, template)->index][edge];
}

void check_values(struct sample *sample, const char *place, const char *name,
                  const char *expected) {
    const char *found = sample_values(sample, place, name);
    ck_assert_msg(!strcmp(found, expected), "%s at %s: %s, not %s", name, place, found, expected);
}

void check_tuples(struct sample *sample, const char *place, const char *names,
                  const char *expected) {
    const char *found = sample_tuples(sample, place, names);
    ck_assert_msg(!strcmp(found, expected), "%s at %s: %s, not %s", names, place, found, expected);
}
