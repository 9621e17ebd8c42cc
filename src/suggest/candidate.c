/* The variables that could be removed, with an estimate of the gain. */
#include "suggest/candidate.h"

#include "abstract/prepare/record.h"
#include "expr/find.h"

#include "classes/classes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAMED_CELLS = 64 };

/* Far from overflow: what is beyond is not told apart. */
#define MOST_VALUES 1e60
#define MOST_WEIGHT 1e200
#define MOST_GAIN 1e300

struct finder {
    const struct live *live;
    const struct network *network;
    struct analysis *analysis; /* NULL: past its budget, value sets are not known */
    struct arena *arena;
    struct classes *classes; /* NULL: not asked for, or past the budget */
    struct record *record;   /* of all that is not observed; NULL: nothing of it could go */
    bool is_read;            /* something that counts as dead is read, but to no effect */
    bool rests_on_classes;   /* some candidate is read, but to no effect */
    double **weights;        /* by template index, location: value combinations; 0 = unreached */
};

/* ---- value sets ---- */

/* Values that a variable can have at a location, or at all if it is global. */
static double value_count(struct finder *finder, const struct live_variable *variable,
                          const struct template *template, uint32_t location) {
    double product = 1;
    for (uint32_t k = 0; k < variable->shape->cell_count && product < MOST_VALUES; k++)
        product *= finder->analysis
                       ? (double)value_set_size(analysis_values(
                             finder->analysis, template, location, variable->symbol, k, false))
                       : 2;
    return product < 1 ? 1 : product < MOST_VALUES ? product : MOST_VALUES;
}

static bool is_reached(const struct finder *finder, const struct template *template,
                       uint32_t location) {
    return !finder->analysis || analysis_reaches(finder->analysis, template, location);
}

static void weigh_template(struct finder *finder, const struct template *template) {
    double *weights = ARENA_ARRAY(finder->arena, double, template->location_count + 1);
    finder->weights[template->index] = weights;
    for (uint32_t l = 0; l < template->location_count; l++) {
        weights[l] = is_reached(finder, template, l);
        for (uint32_t i = 0; i < finder->live->variable_count; i++) {
            const struct live_variable *variable = &finder->live->variables[i];
            if (variable->template == template && weights[l] > 0 && weights[l] < MOST_WEIGHT)
                weights[l] *= value_count(finder, variable, template, l);
        }
    }
}

/* The template at whose locations values are asked for: any for a global variable. NULL if there is
 * no process. */
static const struct template *template_of(const struct finder *finder,
                                          const struct live_variable *variable) {
    if (variable->template) return variable->template;
    return finder->network->process_count ? finder->network->processes[0].template : NULL;
}

/* How many times fewer combinations a process has without a variable in a scope (NULL =
 * everywhere). */
static double gain_of(struct finder *finder, const struct live_variable *variable,
                      const bool *scope) {
    const struct template *template = template_of(finder, variable);
    double before = 0, after = 0;
    if (!template) return 1;
    if (!variable->template) return value_count(finder, variable, template, template->initial);
    assert(finder->weights[template->index]);
    const double *weights = finder->weights[template->index];
    for (uint32_t l = 0; l < template->location_count; l++) {
        bool is_inside = weights[l] > 0 && (!scope || scope[l]);
        before += weights[l];
        after += is_inside ? weights[l] / value_count(finder, variable, template, l) : weights[l];
    }
    return after > 0 ? before / after : 1;
}

/* ---- candidates ---- */

static double estimate_of(const struct candidate_removal *candidate) {
    double estimate = 1;
    for (uint32_t p = 0; p < candidate->process_count && estimate < MOST_GAIN; p++)
        estimate *= candidate->gain;
    return estimate < MOST_GAIN ? estimate : MOST_GAIN;
}

static void add(struct finder *finder, struct candidate_list *candidates,
                struct candidate_removal candidate) {
    assert(candidate.argument && candidate.reason && candidate.gain > 0);
    const struct template *template = candidate.variable->template;
    candidate.process_count = !template;
    for (uint32_t p = 0; template && p < finder->network->process_count; p++)
        candidate.process_count += finder->network->processes[p].template == template;
    candidate.estimate = estimate_of(&candidate);
    finder->rests_on_classes |= finder->is_read;
    VEC_PUSH(finder->arena, &candidates->list, candidate);
}

static const char *argument_of(const struct finder *finder, const struct live_variable *variable) {
    return variable_argument(finder->network, variable->template, variable->symbol, finder->arena);
}

static void add_whole(struct finder *finder, struct candidate_list *candidates,
                      const struct live_variable *variable, const char *reason) {
    add(finder, candidates,
        (struct candidate_removal){.variable = variable,
                                   .argument = argument_of(finder, variable),
                                   .reason = reason,
                                   .gain = gain_of(finder, variable, NULL)});
}

/* Not read again, or making no difference together with everything else that does not (V5). */
static bool is_cell_dead_at(struct finder *finder, const struct live_variable *variable,
                            uint32_t location, uint32_t cell) {
    if (!live_at(finder->live, variable, location, cell)) return true;
    if (finder->record && record_is_unseen(finder->record, variable->symbol, variable->shape, cell))
        return true;
    if (!finder->classes || !classes_is_one(finder->classes, variable->template, location,
                                            variable->symbol, cell, NULL))
        return false;
    finder->is_read = true;
    return true;
}

static bool is_dead_at(struct finder *finder, const struct live_variable *variable,
                       uint32_t location) {
    bool was_read = finder->is_read;
    for (uint32_t k = 0; k < variable->shape->cell_count; k++)
        if (!is_cell_dead_at(finder, variable, location, k)) {
            finder->is_read = was_read;
            return false;
        }
    return true;
}

static bool is_cell_dead(struct finder *finder, const struct live_variable *variable,
                         uint32_t cell) {
    const struct template *template = variable->template;
    uint32_t count = template ? template->location_count + template->branchpoint_count : 1;
    bool was_read = finder->is_read;
    for (uint32_t l = 0; l < count; l++)
        if (!is_cell_dead_at(finder, variable, l, cell)) {
            finder->is_read = was_read;
            return false;
        }
    return true;
}

/* The name of a location if it has one, else its id. */
static const char *location_argument(const struct template *template, uint32_t location) {
    assert(location < template->location_count);
    const struct location *own = &template->locations[location];
    if (own->symbol) return own->name;
    for (uint32_t l = 0; l < template->location_count; l++)
        if (str_is(str_of(own->xml->id), template->locations[l].name)) return own->name;
    return own->xml->id;
}

static const char *scope_argument(struct finder *finder, const struct live_variable *variable,
                                  const bool *scope) {
    struct buffer out = {0};
    const char *separator = "@";
    buffer_add_text(&out, argument_of(finder, variable));
    for (uint32_t l = 0; l < variable->template->location_count; l++) {
        if (!scope[l]) continue;
        buffer_printf(&out, "%s%s", separator, location_argument(variable->template, l));
        separator = ",";
    }
    return buffer_finish(&out, finder->arena);
}

/* Where all of it is dead, apart from where it rests at its initial value anyway. */
static void add_scope(struct finder *finder, struct candidate_list *candidates,
                      const struct live_variable *variable) {
    const struct template *template = variable->template;
    bool *dead = ARENA_ARRAY(finder->arena, bool, template->location_count + 1);
    bool *scope = ARENA_ARRAY(finder->arena, bool, template->location_count + 1);
    bool is_any = false, is_wider = false;
    finder->is_read = false;
    for (uint32_t l = 0; l < template->location_count; l++) {
        dead[l] = is_reached(finder, template, l) && is_dead_at(finder, variable, l);
        scope[l] = dead[l] && value_count(finder, variable, template, l) > 1;
        is_any |= scope[l];
        is_wider |= dead[l] && !scope[l];
    }
    if (!is_any) return;
    struct candidate_removal candidate = {.variable = variable,
                                          .argument = scope_argument(finder, variable, scope),
                                          .wider = is_wider ? scope_argument(finder, variable, dead)
                                                            : NULL,
                                          .reason = finder->is_read ? "read there, but to no effect"
                                                                    : "not read again before it is "
                                                                      "written",
                                          .gain = gain_of(finder, variable, scope)};
    add(finder, candidates, candidate);
}

static void add_cells(struct finder *finder, struct candidate_list *candidates,
                      const struct live_variable *variable) {
    struct buffer out = {0};
    uint32_t count = 0;
    double gain = 1;
    const struct template *template = template_of(finder, variable);
    finder->is_read = false;
    for (uint32_t k = 0; k < variable->shape->cell_count; k++) {
        double most = 1;
        if (!template || !is_cell_dead(finder, variable, k) || !finder->analysis) continue;
        for (uint32_t l = 0; l < template->location_count; l++) {
            if (!is_reached(finder, template, l)) continue;
            double size = (double)value_set_size(
                analysis_values(finder->analysis, template, l, variable->symbol, k, false));
            if (size > most) most = size;
        }
        if (!(most > 1)) continue;
        buffer_printf(&out, "%s%s", count++ ? "," : "", argument_of(finder, variable));
        shape_path(&out, variable->symbol->type, variable->shape, k);
        gain = gain * most < MOST_VALUES ? gain * most : MOST_VALUES;
    }
    if (count && count <= MAX_NAMED_CELLS)
        add(finder, candidates,
            (struct candidate_removal){.variable = variable,
                                       .argument = buffer_take(&out, finder->arena),
                                       .reason = finder->is_read
                                                     ? "these cells are read, but to no effect"
                                                     : "these cells are never read",
                                       .gain = gain});
    buffer_close(&out);
}

static void add_variable(struct finder *finder, const struct live_variable *variable,
                         struct candidate_list *dead, struct candidate_list *lossy) {
    bool is_dead = true;
    uint32_t cells = variable->shape->cell_count;
    finder->is_read = false;
    for (uint32_t k = 0; k < cells && is_dead; k++) is_dead = is_cell_dead(finder, variable, k);
    if (is_dead && !(finder->is_read && gain_of(finder, variable, NULL) <= 1)) {
        add_whole(finder, dead, variable,
                  finder->is_read ? "read, but to no effect"
                                  : "never read, or only into what is removed with it");
        return;
    }
    finder->is_read = false;
    add_whole(finder, lossy, variable, "its values are read");
    if (type_has_scalar(variable->symbol->type)) return;
    uint32_t before = dead->list.count;
    if (cells > 1) add_cells(finder, dead, variable);
    if (variable->template) add_scope(finder, dead, variable);
    if (dead->list.count < before + 2) return;
    assert(dead->list.count == before + 2);                     /* cells, and a scope */
    struct candidate_removal *both = &dead->list.items[before]; /* a variable has one removal */
    if (both[1].gain > both[0].gain) both[0] = both[1];
    dead->list.count--;
}

static int compare(const void *left, const void *right) {
    const struct candidate_removal *a = left, *b = right;
    if (a->estimate > b->estimate) return -1;
    if (b->estimate > a->estimate) return 1;
    return a->variable < b->variable ? -1 : a->variable > b->variable;
}

/* The most worth first; the order is the same in every run. */
void candidates_sort(struct candidate_list *candidates) {
    if (candidates->list.count)
        qsort(candidates->list.items, candidates->list.count, sizeof *candidates->list.items,
              compare);
}

struct abstract_options suggest_quick_options(const struct abstract_options *options) {
    enum { TRIAL_BUDGET = 4000 };
    struct abstract_options quick = *options;
    quick.is_quick = quick.writes_nothing = true;
    if (quick.analysis.budget == ANALYSIS_DEFAULT_BUDGET) quick.analysis.budget = TRIAL_BUDGET;
    return quick;
}

/* All are taken to be removed, so that they are followed. Without invariants the values are those
 * for must, too (A7). */
struct analysis *suggest_values(const struct network *network,
                                const struct abstract_options *options, struct arena *arena) {
    bool *is_removed = ARENA_ARRAY(arena, bool, network->slot_count + 1);
    struct diag diag;
    memset(is_removed, true, network->slot_count);
    diag_init(&diag, arena, NULL);
    struct analysis_options quick = suggest_quick_options(options).analysis;
    quick.is_must = !model_has_invariants(network->model);
    return analyse(arena, network, is_removed, &quick, &diag);
}

/* All variables are asked about that no query observes. */
static bool is_wanted(const void *context, const struct template *template, uint32_t location,
                      const struct symbol *symbol, uint32_t offset) {
    const struct live *live = context;
    const struct live_variable *variable = live_find(live, symbol);
    (void)template, (void)location, (void)offset;
    return variable && !variable->is_observed && !variable->is_passed;
}

static struct record *find_record(const struct finder *finder) {
    const struct live *live = finder->live;
    VEC(const char *) arguments = {0};
    for (uint32_t i = 0; i < live->variable_count; i++) {
        const struct live_variable *variable = &live->variables[i];
        if (!variable->is_observed && !variable->is_passed)
            VEC_PUSH(finder->arena, &arguments, argument_of(finder, variable));
    }
    return record_find(live->network, arguments.items, arguments.count, finder->arena);
}

bool candidates_find(const struct live *live, struct analysis *values, bool with_classes,
                     struct arena *arena, struct candidate_list *dead,
                     struct candidate_list *lossy) {
    const struct model *model = live->network->model;
    struct finder finder = {
        .live = live, .network = live->network, .analysis = values, .arena = arena};
    if (finder.analysis && with_classes)
        finder.classes = classes_find(arena, finder.analysis, false, is_wanted, live);
    finder.record = find_record(&finder);
    finder.weights = ARENA_ARRAY(arena, double *, model->template_count + 1);
    for (uint32_t t = 0; t < model->template_count; t++)
        weigh_template(&finder, model->templates[t]);
    for (uint32_t i = 0; i < live->variable_count; i++)
        if (!live->variables[i].is_observed)
            add_variable(&finder, &live->variables[i], dead, lossy);
    candidates_sort(dead);
    candidates_sort(lossy);
    return finder.rests_on_classes;
}

/* ---- in some processes only ---- */

/* How --remove calls the processes from one on that lose the variable: Voter(1..5), or one. */
static const char *processes_text(const struct network *network, const bool *in_process,
                                  uint32_t first, uint32_t *end, struct arena *arena) {
    const struct process *process = &network->processes[first];
    size_t size = strlen(process->name);
    *end = first + 1;
    if (process->name[size - 1] != ')' || strchr(process->name, ',')) return process->name;
    while (*end < network->process_count && !in_process[*end] &&
           network->processes[*end].symbol == process->symbol)
        ++*end;
    const char *last = strchr(network->processes[*end - 1].name, '(');
    return *end == first + 1
               ? process->name
               : arena_printf(arena, "%.*s..%s", (int)size - 1, process->name, last + 1);
}

/* "Voter(1..5).a,Voter(1..5).b@there" for "Voter.a,Voter.b@there". NULL: these are too many. */
static const char *elsewhere_argument(const struct network *network,
                                      const struct live_variable *variable, const char *argument,
                                      uint32_t *count, struct arena *arena) {
    size_t prefix = strlen(variable->template->symbol->name), words = strcspn(argument, "@");
    struct process_range range = network->processes_of[variable->template->index];
    struct buffer out = {0};
    uint32_t texts = 0;
    *count = 0;
    for (uint32_t p = range.first, end; p < range.end; p = end) {
        end = p + 1;
        if (network->processes[p].template != variable->template || variable->in_process[p])
            continue;
        const char *name = processes_text(network, variable->in_process, p, &end, arena);
        for (size_t at = 0, size; at < words; at += size + 1) {
            size = strcspn(argument + at, ",@");
            buffer_printf(&out, "%s%s%.*s", texts++ ? "," : "", name, (int)(size - prefix),
                          argument + at + prefix);
        }
        *count += end - p;
    }
    buffer_add_text(&out, argument + words);
    const char *text = texts && texts <= MAX_NAMED_CELLS ? buffer_take(&out, arena) : NULL;
    buffer_close(&out);
    return text;
}

static void add_elsewhere(const struct live *live, const struct candidate_list *from,
                          struct candidate_list *to, struct arena *arena) {
    for (uint32_t i = 0; i < from->list.count; i++) {
        struct candidate_removal candidate = from->list.items[i];
        candidate.variable = live_find(live, candidate.variable->symbol);
        if (!candidate.variable->in_process) continue;
        candidate.argument = elsewhere_argument(
            live->network, candidate.variable, candidate.argument, &candidate.process_count, arena);
        candidate.wider = NULL;
        candidate.estimate = estimate_of(&candidate);
        if (candidate.argument) VEC_PUSH(arena, &to->list, candidate);
    }
    candidates_sort(to);
}

void candidates_find_elsewhere(const struct live *live, struct analysis *values,
                               struct arena *arena, struct candidate_list *dead,
                               struct candidate_list *lossy) {
    struct candidate_list all_dead = {0}, all_lossy = {0};
    const struct live *elsewhere = live_elsewhere(arena, live);
    if (!elsewhere) return;
    candidates_find(elsewhere, values, false, arena, &all_dead, &all_lossy);
    add_elsewhere(live, &all_dead, dead, arena);
    add_elsewhere(live, &all_lossy, lossy, arena);
}
