/* Guards and an observer, and whether that leaves the run and nothing else. */
#include "command/run_model.h"

#include "abstract/emit/label_spot.h"
#include "expr/find.h"
#include "session/queries.h"

#include <assert.h>
#include <string.h>

/* An edge in a step of the run. */
struct use {
    const struct edge_instance *part;
    uint32_t place; /* of the edge on the path of the part */
    uint32_t step;
};

struct edge_uses {
    VEC(struct use) list;
};

struct maker {
    struct arena *arena;
    const struct network *network;
    const struct document *document;
    const struct trace *run;
    struct splices splices;
    struct edge_uses **uses; /* by template and edge */
    const char *step;        /* the observer's name */
    const char *number;      /* of a parameter that tells instances apart; NULL: none has it */
    bool *is_numbered;       /* by template: it has that parameter */
};

/* ---- numbers of instances ---- */

/* Whose arguments are those of the template: A = P(1), for a process of A; NULL if the template
 * itself is on the system line. */
static const struct instance *instance_of(const struct process *process) {
    const struct symbol *symbol = process->symbol;
    if (symbol->kind != SYMBOL_INSTANCE) return NULL;
    while (symbol->instance->base->kind == SYMBOL_INSTANCE) symbol = symbol->instance->base;
    return symbol->instance;
}

/* What the parameter is for an instance: its place among the declarations. */
static uint32_t number_of(const struct maker *maker, const struct instance *instance) {
    const struct declaration_list *list = &maker->network->model->system_declarations;
    uint32_t i = 0;
    while (i < list->count && list->items[i]->instance != instance) i++;
    assert(i < list->count);
    return i;
}

/* Templates of several instances get numbers, unless they stand on the system line. */
static void choose_numbered(struct maker *maker) {
    const struct network *network = maker->network;
    const struct model *model = network->model;
    const struct instance **first =
        ARENA_ARRAY(maker->arena, const struct instance *, model->template_count + 1);
    bool *is_listed = ARENA_ARRAY(maker->arena, bool, model->template_count + 1);
    for (uint32_t i = 0; maker->number && i < network->process_count; i++) {
        const struct instance *instance = instance_of(&network->processes[i]);
        uint32_t template = network->processes[i].template->index;
        is_listed[template] |= !instance;
        if (first[template] && instance != first[template]) maker->is_numbered[template] = true;
        first[template] = instance;
    }
    for (uint32_t t = 0; t < model->template_count; t++)
        if (is_listed[t]) maker->is_numbered[t] = false;
}

/* ---- conditions ---- */

/* "i == 2": what is known of the process by its parameters. */
static void add_parameters(struct maker *maker, struct buffer *out, const struct process *process) {
    const struct network *network = maker->network;
    const struct template *template = process->template;
    const struct process_range *range = &network->processes_of[template->index];
    if (range->end - range->first < 2) return;
    if (maker->is_numbered[template->index])
        buffer_printf(out, " && %s == %u", maker->number, number_of(maker, instance_of(process)));
    for (uint32_t i = 0; i < template->parameter_count; i++) {
        const struct symbol *parameter = template->parameters[i];
        const struct binding *binding = &process->locals[parameter->index];
        if (parameter->is_reference || !binding->shape || binding->shape->kind != SHAPE_CELL ||
            binding->shape->is_scalar || network->slot_of[binding->address] != NO_SLOT)
            continue;
        buffer_printf(out, " && %s == %d", parameter->name, network->cells[binding->address]);
    }
}

/* "(step == 3 && i == 2 && v == 1)". */
static void add_use(struct maker *maker, struct buffer *out, const struct use *use) {
    const struct edge *edge = use->part->edges[use->place];
    buffer_printf(out, "(%s == %u", maker->step, use->step);
    add_parameters(maker, out, use->part->process);
    for (uint32_t i = 0; i < edge->select_count; i++)
        if (!type_has_scalar(edge->selects[i]->type))
            buffer_printf(out, " && %s == %d", edge->selects[i]->name,
                          use->part->selects[use->place][i]);
    buffer_add_text(out, ")");
}

/* The uses in halves, so that the condition is not deep. */
static void add_uses(struct maker *maker, struct buffer *out, const struct use *uses,
                     uint32_t count) {
    if (!count) buffer_add_text(out, "false");
    if (count == 1) add_use(maker, out, uses);
    if (count < 2) return;
    buffer_add_text(out, "(");
    add_uses(maker, out, uses, count / 2);
    buffer_add_text(out, " || ");
    add_uses(maker, out, uses + count / 2, count - count / 2);
    buffer_add_text(out, ")");
}

/* ---- labels ---- */

static void set_around(struct maker *maker, const struct element *label, const char *before,
                       const char *after) {
    const struct text *text = &label->text;
    position begin = text->begin, end = begin + (position)text->content.size;
    const struct text_edit edits[] = {{{begin, begin}, str_of(before)},
                                      {{end, end}, str_of(after)}};
    splice_edit_text(&maker->splices, label, edits, 2);
}

/* A new label after an element of the edge. */
static void add_label(struct maker *maker, const struct element *before, const char *kind,
                      const char *text, struct spot at) {
    struct str escaped = xml_escape(maker->arena, str_of(text));
    splice_markup(
        &maker->splices, before->end, before->end,
        str_of(arena_printf(maker->arena, "%s\t\t\t<label kind=\"%s\" x=\"%d\" y=\"%d\">%s</label>",
                            maker->document->line_end, kind, at.x, at.y, escaped.data)));
}

/* The last child up to which labels may stand in the order of the editor. */
static const struct element *label_before(const struct xml_transition *edge, bool is_update) {
    static const enum label_kind kinds[] = {LABEL_SELECT, LABEL_GUARD, LABEL_SYNC};
    const struct element *last = NULL;
    for (const struct element *child = edge->element->first_child; child; child = child->next)
        if (!strcmp(child->name, "target")) last = child;
    assert(last); /* every transition has one */
    for (int i = 0; i < (is_update ? 3 : 1); i++) {
        const struct element *label = edge->labels.of[kinds[i]];
        if (label && label->begin > last->begin) last = label;
    }
    return last;
}

/* Whether a process that takes the edge sets the observer, rather than who sends to it. */
static bool is_leader(const struct edge *edge) { return !edge->sync || edge->is_send; }

/* What the observer becomes. */
static const char *next_step(struct maker *maker) {
    const struct trace *run = maker->run;
    if (run->end != TRACE_LOOP)
        return arena_printf(maker->arena, "%s = %s + 1", maker->step, maker->step);
    return arena_printf(maker->arena, "%s = (%s == %u ? %u : %s + 1)", maker->step, maker->step,
                        run->step_count - 1, run->loop, maker->step);
}

static void change_edge(struct maker *maker, const struct template *template, uint32_t number) {
    const struct edge *edge = &template->edges[number];
    const struct edge_uses *uses = &maker->uses[template->index][number];
    const struct element *guard = edge->xml->labels.of[LABEL_GUARD],
                         *update = edge->xml->labels.of[LABEL_UPDATE];
    struct label_block block = block_of_edge(template->xml, edge->xml);
    struct buffer condition = {0};
    if (edge->leaves_branchpoint) return; /* it has no guard; what it forks is seen afterwards */
    add_uses(maker, &condition, uses->list.items, uses->list.count);
    const char *text = buffer_finish(&condition, maker->arena);
    if (guard)
        set_around(maker, guard, arena_printf(maker->arena, "%s && (", text),
                   strstr(guard->text.content.data, "//") ? "\n)" : ")");
    else
        add_label(maker, label_before(edge->xml, false), "guard", text, block_add(&block, 1));
    if (!uses->list.count || !is_leader(edge)) return;
    if (update)
        set_around(maker, update, arena_printf(maker->arena, "%s, ", next_step(maker)), "");
    else
        add_label(maker, label_before(edge->xml, true), "assignment", next_step(maker),
                  block_add(&block, 1));
}

static void add_number_parameter(struct maker *maker, const struct template *template) {
    const struct element *parameter = template->xml->parameter;
    const char *text = arena_printf(maker->arena, "const int %s", maker->number);
    size_t at = template->xml->name->end;
    if (template->parameter_count)
        set_around(maker, parameter, "", arena_printf(maker->arena, "\n, %s", text));
    else if (parameter)
        splice_set_text(&maker->splices, parameter, str_of(text));
    else
        splice_markup(&maker->splices, at, at,
                      str_of(arena_printf(maker->arena, "<parameter>%s</parameter>", text)));
}

/* The arguments in one of the two places of instances. */
static void add_number_arguments(struct maker *maker, const struct element *element) {
    const struct declaration_list *list = &maker->network->model->system_declarations;
    VEC(struct text_edit) edits = {0};
    for (uint32_t i = 0; element && i < list->count; i++) {
        const struct declaration *declaration = list->items[i];
        const struct instance *instance = declaration->instance;
        position begin = element->text.begin;
        if (declaration->kind != DECLARATION_INSTANCE || instance->base->kind != SYMBOL_TEMPLATE ||
            !maker->is_numbered[instance->template->index] || declaration->span.begin < begin ||
            declaration->span.end > begin + (position)element->text.content.size)
            continue;
        struct str text = document_text(maker->document, declaration->span);
        size_t at = text.size;
        while (at && text.data[at - 1] != ')') at--;
        if (!at) continue;
        position place = declaration->span.begin + (position)at - 1;
        const char *number =
            arena_printf(maker->arena, "%s%u", instance->argument_count ? ", " : "", i);
        VEC_PUSH(maker->arena, &edits, ((struct text_edit){{place, place}, str_of(number)}));
    }
    if (edits.count) splice_edit_text(&maker->splices, element, edits.items, edits.count);
}

static void add_numbers(struct maker *maker) {
    const struct model *model = maker->network->model;
    for (uint32_t t = 0; t < model->template_count; t++)
        if (maker->is_numbered[t]) add_number_parameter(maker, model->templates[t]);
    add_number_arguments(maker, maker->document->instantiation);
    add_number_arguments(maker, maker->document->system);
}

static void declare(struct maker *maker) {
    const struct element *declaration = maker->document->declaration;
    const char *text = arena_printf(maker->arena,
                                    "\n// The step of the run that comes next: only this run is "
                                    "possible.\nint[0, %u] %s = 0;\n",
                                    maker->run->step_count, maker->step);
    size_t at = maker->document->root->content_begin;
    if (declaration)
        set_around(maker, declaration, "", text);
    else
        splice_markup(&maker->splices, at, at,
                      str_of(arena_printf(maker->arena, "<declaration>%s</declaration>", text)));
}

static void collect_uses(struct maker *maker) {
    const struct model *model = maker->network->model;
    maker->uses = ARENA_ARRAY(maker->arena, struct edge_uses *, model->template_count + 1);
    for (uint32_t t = 0; t < model->template_count; t++)
        maker->uses[t] =
            ARENA_ARRAY(maker->arena, struct edge_uses, model->templates[t]->edge_count + 1);
    for (uint32_t i = 0; i < maker->run->step_count; i++)
        for (uint32_t p = 0; p < maker->run->steps[i].part_count; p++) {
            const struct edge_instance *part = maker->run->steps[i].parts[p];
            const struct template *template = part->process->template;
            for (uint32_t k = 0; k < part->edge_count; k++)
                VEC_PUSH(maker->arena,
                         &maker->uses[template->index][part->edges[k] - template->edges].list,
                         ((struct use){part, k, i}));
        }
}

static struct str make(struct session *session, const struct trace *run, const char *step,
                       const char *number) {
    struct maker maker = {.arena = &session->arena,
                          .network = session->network,
                          .document = &session->document,
                          .run = run,
                          .step = step,
                          .number = number};
    const struct model *model = session->network->model;
    maker.is_numbered = ARENA_ARRAY(maker.arena, bool, model->template_count + 1);
    choose_numbered(&maker);
    splices_init(&maker.splices, maker.document, maker.arena);
    add_numbers(&maker);
    collect_uses(&maker);
    declare(&maker);
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t e = 0; e < model->templates[t]->edge_count; e++)
            change_edge(&maker, model->templates[t], e);
    splice_open_queries(&maker.splices);
    return splices_apply(&maker.splices);
}

/* ---- whether it is the run ---- */

/* The values of a state by the names of its slots. */
static bool is_same_state(const struct network *left, const struct trace_state *left_state,
                          const struct trace_state *right_state, const uint32_t *slots) {
    for (uint32_t p = 0; p < left->process_count; p++)
        if (left_state->locations[p] != right_state->locations[p]) return false;
    for (uint32_t i = 0; i < left->slot_count; i++)
        if (!left->slots[i].is_meta && left_state->values[i] != right_state->values[slots[i]])
            return false;
    return true;
}

/* By slot of the left network the one of that name in the right one, which has one more; NULL if
 * they do not match. */
static uint32_t *match_slots(const struct network *left, const struct network *right,
                             struct arena *arena) {
    uint32_t *slots = ARENA_ARRAY(arena, uint32_t, left->slot_count + 1);
    uint32_t next = 0;
    if (left->process_count != right->process_count || left->slot_count + 1 != right->slot_count)
        return NULL;
    for (uint32_t i = 0; i < left->slot_count; i++, next++) {
        const char *name = slot_name(left, &left->slots[i], arena);
        while (next < right->slot_count &&
               strcmp(name, slot_name(right, &right->slots[next], arena)) != 0)
            next++;
        if (next == right->slot_count) return NULL;
        slots[i] = next;
    }
    return slots;
}

/* Whether everything that a model can do is the run. */
static bool is_the_run(const struct session *session, const struct session *made,
                       const struct verification *verification, const struct trace *run) {
    uint32_t states = run->step_count + (run->end != TRACE_LOOP);
    const struct trace *own = verification->answers[0].trace;
    if (verification->search->limit != LIMIT_NONE || !verification->search->is_complete ||
        verification->figures.states.value != states ||
        verification->figures.transitions.value != run->step_count ||
        verification->figures.errors.value || !own || own->state_count != states)
        return false;
    const uint32_t *slots = match_slots(session->network, made->network, verification->arena);
    for (uint32_t i = 0; slots && i < states; i++)
        if (!is_same_state(session->network, &run->states[i], &own->states[i], slots)) return false;
    return slots != NULL;
}

/* Explores the model up to the last state that is another one. */
static bool explore(const struct session *session, struct session *made, const struct trace *run,
                    const char *step) {
    struct verification verification;
    uint32_t last = run->step_count - (run->end == TRACE_LOOP);
    const char *query = arena_printf(&made->arena, "E<> %s == %u", step, last);
    const struct query_source source = {query, false, NULL};
    const struct verify_options options = {
        .search = {.max_states = (uint64_t)run->step_count + 2, .jobs = 1, .is_full = true},
        .wants_traces = true,
        .engine = ENGINE_EXPLICIT};
    if (!session_build_for(made, &source, 1)) return false;
    bool is_run = verify(&verification, &made->arena, made->network, made->model->queries,
                         made->model->query_count, &options) &&
                  is_the_run(session, made, &verification, run);
    verify_close(&verification);
    return is_run;
}

/* The model, with or without numbers of instances; whether it is that of the run. */
static bool try_to_make(struct str *model, struct session *session, const struct trace *run,
                        const char *step, const char *number) {
    struct session made;
    *model = make(session, run, step, number);
    bool is_run = session_load_bytes(&made, "the model of the run", *model) &&
                  explore(session, &made, run, step);
    session_drop(&made);
    return is_run;
}

bool run_model_make(struct str *model, struct session *session, const struct trace *run,
                    const char *observer) {
    if (run->step_count > RUN_MODEL_STEPS)
        return diag_error(&session->diag, STATUS_LIMIT, 0,
                          "the run has %u steps; a model of it alone may have %d", run->step_count,
                          RUN_MODEL_STEPS);
    bool is_run = run->step_count < run->state_count; /* it does not end with an error */
    const char *number = intern_fresh(&session->names, "run_process");
    is_run = is_run && (try_to_make(model, session, run, observer, NULL) ||
                        try_to_make(model, session, run, observer, number));
    if (!is_run)
        diag_error(&session->diag, STATUS_UNSUPPORTED, 0, "this run cannot be forced by guards: %s",
                   run->step_count < run->state_count
                       ? "branches are taken at will, or processes or selects are told apart by "
                         "scalars only"
                       : "it ends with a runtime error");
    return is_run;
}
