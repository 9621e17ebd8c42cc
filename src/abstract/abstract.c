/* The whole way, and what is checked on it. */
#include "abstract/abstract.h"

#include "abstract/cells/plan.h"
#include "abstract/claim/either.h"
#include "abstract/claim/favour.h"
#include "abstract/claim/observation.h"
#include "abstract/claim/removed_in.h"
#include "abstract/claim/stutter.h"
#include "abstract/edge/ghost_fit.h"
#include "abstract/emit/emit.h"
#include "abstract/emit/query.h"
#include "abstract/emit/uncalled.h"
#include "abstract/facts/narrowed.h"
#include "abstract/fold/choice.h"
#include "abstract/fold/doubt.h"
#include "abstract/fold/lower.h"
#include "abstract/fold/urgency.h"
#include "abstract/must/search.h"
#include "abstract/request/request.h"
#include "base/clock.h"
#include "base/debug.h"
#include "base/interrupt.h"
#include "classes/classes.h"
#include "explore/fair/tag.h"
#include "expr/find.h"
#include "lang/check/check.h"
#include "lang/syntax/parse.h"
#include "model/undocumented.h"
#include "xml/load.h"

#include <assert.h>

/* M5: refuses priorities where the abstraction is not exact, or drops them if that is asked for. */
static bool check_priorities(struct abstraction *abstraction,
                             const struct abstract_options *options, struct diag *diag) {
    if (!abstraction->network->has_priorities || abstraction->is_exact) return true;
    assert(abstraction->inexact.count);
    if (options->mode != MODE_MAY)
        return diag_error(
            diag, STATUS_UNSUPPORTED, abstraction->network->model->system_span.begin,
            "the model has priorities and the removal is not exact (%s): an edge that goes "
            "could uncover a step of lower priority; remove less",
            abstraction->inexact.items[0]);
    abstraction->drops_priorities = options->drops_priorities;
    if (options->drops_priorities) {
        abstraction_add_reason(abstraction, "the priorities are dropped");
        return true;
    }
    return diag_error(
        diag, STATUS_UNSUPPORTED, abstraction->network->model->system_span.begin,
        "the model has priorities and the removal is not exact (%s): an edge that is added "
        "could hide a step of lower priority; use --drop-priorities or remove less",
        abstraction->inexact.items[0]);
}

static bool check_initial(const struct abstraction *abstraction, struct diag *diag) {
    const struct location *location =
        abstraction->context.rules->is_universal ? abstraction_excludes_initial(abstraction) : NULL;
    if (!location) return true;
    return diag_error(diag, STATUS_UNSUPPORTED, location->written_invariant->span.begin,
                      "this invariant depends on removed variables, and its part in a "
                      "must-abstraction excludes the initial state: remove less");
}

static void add_dropped(struct abstraction *abstraction, struct span span, const char *what,
                        const char *text, const char *variable, struct diag *diag) {
    VEC_PUSH(abstraction->arena, &abstraction->dropped_entries,
             (struct dropped_entry){span, what, text, variable});
    diag_warning(diag, span.begin, "this %s names '%s', which is removed: %s", what, variable,
                 text ? "its formula moves into its comment" : "it goes, too");
}

/* Agents that cannot be read are asked of nobody, and Uppaal knows none. */
static const char *removed_in_query(struct abstraction *abstraction, const struct query *query) {
    if (query->quantifier == QUERY_INVALID)
        return query->is_declaration
                   ? NULL
                   : abstraction_removed_in_text(abstraction, &query->xml->formula->text);
    const char *variable = abstraction_removed_in(abstraction, query->predicate);
    for (uint32_t k = 0; k < query->expr_count && !variable; k++)
        variable = abstraction_removed_in(abstraction, query->exprs[k]);
    return variable;
}

static void find_dropped(struct abstraction *abstraction, struct diag *diag) {
    const struct model *model = abstraction->network->model;
    for (uint32_t i = 0; i < model->query_count; i++) {
        const struct query *query = &model->queries[i];
        const char *variable = removed_in_query(abstraction, query);
        if (!variable) continue;
        if (query->quantifier != QUERY_INVALID && !narrowing_loses(&abstraction->context, i) &&
            query_rewrite(abstraction, i))
            continue;
        VEC_PUSH(abstraction->arena, &abstraction->dropped_queries, i);
        add_dropped(abstraction, query->span, "query", query->xml->formula->text.content.data,
                    variable, diag);
    }
    for (uint32_t i = 0; i < model->progress_count; i++) {
        const struct progress_measure *entry = &model->progress[i];
        const char *variable = abstraction_removed_in(abstraction, entry->guard);
        if (!variable) variable = abstraction_removed_in(abstraction, entry->measure);
        if (variable)
            add_dropped(abstraction, entry->span, "progress measure", NULL, variable, diag);
    }
    for (uint32_t i = 0; i < model->gantt_count; i++) {
        const char *variable = NULL;
        for (uint32_t k = 0; k < model->gantt[i].expr_count && !variable; k++)
            variable = abstraction_removed_in(abstraction, model->gantt[i].exprs[k]);
        if (variable)
            add_dropped(abstraction, model->gantt[i].span, "gantt entry", NULL, variable, diag);
    }
}

/* Tags stay as they are (R2.2); what their arguments were is not known any more. */
static void warn_of_tag(const struct removal *removal, const struct template *template,
                        const struct edge *edge, struct diag *diag) {
    bool is_seen = !removal->scope && (!removal->template || removal->template == template);
    if (!is_seen || !edge_tags_mention(edge, str_of(removal->symbol->name))) return;
    diag_warning(diag, label_text(&edge->xml->labels, LABEL_COMMENTS)->begin,
                 "a tag of this edge names '%s', which is removed: its values are not those of the "
                 "original",
                 removal->symbol->name);
}

static void warn_of_tags(const struct abstraction *abstraction, struct diag *diag) {
    const struct model *model = abstraction->network->model;
    const struct request *request = abstraction->request;
    for (uint32_t i = 0; i < request->removals.count; i++)
        for (uint32_t t = 0; t < model->template_count; t++)
            for (uint32_t e = 0; e < model->templates[t]->edge_count; e++)
                warn_of_tag(&request->removals.items[i], model->templates[t],
                            &model->templates[t]->edges[e], diag);
}

/* Warns of edges that choose from very many values, before the user explores the output. */
static void warn_of_choices(const struct abstraction *abstraction, struct diag *diag) {
    const struct wide_choice choice = choice_widest(abstraction);
    if (!choice.open) return;
    const char *others = "";
    if (choice.edges > 1)
        others = arena_printf(abstraction->arena, " (%u more edge%s from over %d)",
                              choice.edges - 1, choice.edges > 2 ? "s" : "", CHOICE_MOST_VALUES);
    diag_warning(diag, choice.open->edge->xml->element->at,
                 "this edge now chooses from %s of what is removed, mostly of '%s'%s: the "
                 "output may well have more steps than the original; keep '%s', give it a smaller "
                 "type, or remove it only where it is not read (--remove VAR@LOCATION)",
                 choice_values(&choice, abstraction->arena), choice.variable, others,
                 choice.variable);
}

/* Whether a place is removed. */
static bool is_removed_place(const void *context, const struct template *template,
                             uint32_t location, const struct symbol *symbol, uint32_t offset) {
    const struct removal *removal = removed_ever(context, symbol);
    assert(!removal || offset < removal->shape->cell_count);
    if (!removal || !removal->is_removed[offset]) return false;
    return !removal->scope || (template && removal->scope[location]);
}

/* Whether marks are to say what coalitions can choose: with one value for all that makes no
 * difference, edges would not be their moves (ST8). */
static bool needs_moves(const struct abstraction *abstraction) {
    const struct model *model = abstraction->network->model;
    bool does = abstraction->favours != NULL;
    for (uint32_t i = 0; i < model->query_count; i++)
        does |= model->queries[i].quantifier == QUERY_FORMULA &&
                expr_asks_coalition(model->queries[i].predicate);
    return does && abstraction->context.rules->is_mixed;
}

/* If all that is removed makes no difference together (V1 to V13), it has one value from now on. */
static bool hold_classes(struct abstraction *abstraction, const struct abstract_options *options) {
    if (options->mode == MODE_LOWER || options->is_quick || abstraction->request->ghosts.count)
        return true;
    const struct classes *classes = classes_find(abstraction->arena, abstraction->analysis, true,
                                                 is_removed_place, abstraction->request);
    if (!classes_are_complete(classes)) return true;
    abstraction->classes = classes;
    if (!abstraction->may_fail) abstraction->may_fail = classes_may_fail(classes);
    return abstraction_fold_again(abstraction, classes_pin(classes, abstraction->analysis),
                                  options);
}

/* That what was written is a model as good as the one that was read. */
static void output_check(const struct abstraction *abstraction) {
    struct arena arena;
    struct interner names;
    struct document document;
    struct diag diag;
    arena_init(&arena);
    interner_init(&names, &arena);
    diag_init(&diag, &arena, NULL);
    bool is_read = document_parse(&document, &arena, &names, "output", abstraction->output, &diag);
    assert(is_read);

    struct model *model = model_parse(&arena, &names, &document, &diag);
    assert(!diag.error_count && model_check(model) && network_new(&arena, model));

    arena_close(&arena);
}

/* Refuses what no abstraction does with clocks. */
static bool check_time(const struct network *network, const struct request *request,
                       const struct abstract_options *options, struct diag *diag) {
    const char *problem = NULL;
    bool is_must = options->mode != MODE_MAY;
    if (is_must && (request->is_untimed || request->clocks.count))
        problem = "removing a clock adds steps, so only --may can do it";
    else if (network_is_timed(network) && options->stutters)
        problem =
            "--stutter is not for models with clocks, in which it would make every A<> violated: "
            "leave it out";
    else if (network_is_timed(network) && options->assumes_live)
        problem =
            "--assume-live is not for models with clocks, in which time may stop: leave it out";
    else if (network_is_timed(network) && options->mode == MODE_LOWER)
        problem = "--must=lower is not for models with clocks: use --must";
    if (problem)
        diag_error(diag, STATUS_UNSUPPORTED, network->model->timed_at.begin, "%s", problem);
    else if (request->is_untimed && !network_is_timed(network))
        diag_warning(diag, 0, "no guard or invariant tests a clock: --untime makes no difference");
    return !problem;
}

/* MX1: a tag of the original would be taken for a mark. */
static bool check_tags(const struct model *model, struct diag *diag) {
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t e = 0; e < model->templates[t]->edge_count; e++) {
            const struct edge *edge = &model->templates[t]->edges[e];
            bool is_may = edge_has_tag(edge, STR("may")), is_sure = edge_has_tag(edge, STR("sure"));
            bool is_some = edge_has_tag(edge, STR("some"));
            if (!is_may && !is_sure && !is_some && !edge_has_tag(edge, STR("either"))) continue;
            return diag_error(
                diag, STATUS_UNSUPPORTED, label_text(&edge->xml->labels, LABEL_COMMENTS)->begin,
                "the tag @%s of this edge would say how certain it is in a mixed model: give "
                "it another name",
                is_may    ? "may"
                : is_sure ? "sure"
                : is_some ? "some"
                          : "either");
        }
    return true;
}

/* Refuses models and options of which no mixed abstraction is made. */
static bool check_mixed(const struct network *network, const struct abstract_options *options,
                        struct diag *diag) {
    const struct model *model = network->model;
    if (!rules_of(options->mode)->is_mixed) return true;
    if (network_is_timed(network))
        return diag_error(diag, STATUS_UNSUPPORTED, model->timed_at.begin,
                          "--mixed knows no clocks: use --may or --must");
    if (!initial_state_is_valid(network))
        return diag_error(diag, STATUS_UNSUPPORTED, model->system_span.begin,
                          "an invariant does not hold in the initial state, so that no step is "
                          "certain: use --may or --must");
    if (network->persistent.count)
        return diag_error(
            diag, STATUS_UNSUPPORTED, 0,
            "--mixed does not follow meta variables that a step may read before it writes "
            "them: use --may or --must");
    return check_tags(model, diag);
}

/* Refuses a mixed abstraction whose marks would not be right. */
static bool check_marks(const struct abstraction *abstraction, struct diag *diag) {
    if (!abstraction->context.rules->is_mixed) return true;
    if (hooks_are_doubted(&abstraction->context))
        return diag_error(
            diag, STATUS_UNSUPPORTED, abstraction->network->model->system_span.begin,
            "an update hook writes what an invariant over removed variables reads, so that "
            "no step is certain: use --may, or remove less");
    if (abstraction->observations && !abstraction->observations->text)
        return diag_error(diag, STATUS_UNSUPPORTED, abstraction->network->model->system_span.begin,
                          "a mixed model has to say what agents observe of the original: %s",
                          abstraction->observations->problem);
    return true;
}

/* Why a merge that has too many values to enumerate is not folded by cells (F11). */
static void warn_of_merges_by_values(const struct abstraction *abstraction, struct diag *diag) {
    const struct request *request = abstraction->request;
    for (uint32_t i = 0; i < request->ghosts.count; i++) {
        const char *why = cells_plan_why_not(abstraction->context.cells, request->ghosts.items[i]);
        if (why) diag_warning(diag, 0, "%s", why);
    }
}

/* The edges of the output, first by all values, then by more that is known. */
static bool fold_all(struct abstraction *abstraction, const struct abstract_options *options) {
    abstraction_tell(options, "edges");
    bool ok = abstraction_fold(abstraction, options) && !abstraction->context.diag->error_count;
    if (ok && abstraction->inexact.count && !needs_moves(abstraction))
        ok = hold_classes(abstraction, options);
    if (ok && abstraction->inexact.count) ok = abstraction_fold_by_meaning(abstraction, options);
    /* what edges over cells keep is not known to the search */
    bool is_searched = abstraction->context.rules->is_searched && !options->searches_nothing &&
                       !cells_plan_is_used(abstraction->context.cells);
    if (ok && is_searched) {
        abstraction_tell(options, "edges that can stay");
        ok = must_search(abstraction, options);
    }
    return ok && urgency_settle(abstraction);
}

bool abstraction_make(struct abstraction *abstraction, struct arena *arena,
                      const struct network *network, const struct request *request,
                      const struct abstract_options *options, struct diag *diag) {
    if (!check_time(network, request, options, diag) || !check_mixed(network, options, diag))
        return false;
    abstraction_tell(options, "values");
    if (!abstraction_open(abstraction, arena, network, request, options, diag)) return false;
    double analysed = clock_seconds();
    if (!ghosts_fit(&abstraction->context)) {
        warn_of_merges_by_values(abstraction, diag);
        return false;
    }
    if (abstraction->context.rules->is_confined) {
        abstraction->lower = lower_make(&abstraction->context);
        if (!abstraction->lower) return false;
        abstraction->analysis = abstraction->context.analysis =
            lower_analysis(&abstraction->context, abstraction->lower);
    }
    bool ok = fold_all(abstraction, options);
    abstraction_doubt_persistent(abstraction);
    abstraction->is_exact = abstraction->inexact.count == 0;
    assert(!abstraction->is_exact || !abstraction->context.rules->disclaimer);
    abstraction->fold_seconds = clock_seconds() - analysed;
    if (!ok || !check_priorities(abstraction, options, diag) || !check_initial(abstraction, diag))
        return false;
    if (options->stutters && !add_stutters(abstraction, diag)) return false;
    if (abstraction->context.rules->is_mixed) mark_either(abstraction);
    if (abstraction->favours) favour_coalition(abstraction);
    if (interrupt_is_asked()) { /* what was broken off is coarse */
        return diag_error(diag, STATUS_LIMIT, 0, "there is no abstraction yet: %s",
                          interrupt_reason());
    }
    find_dropped(abstraction, diag);
    settle_sizes(&abstraction->context, abstraction->dropped_queries.items,
                 abstraction->dropped_queries.count);
    abstraction->observations = observations_make(abstraction);
    if (!check_marks(abstraction, diag)) return false;
    warn_of_tags(abstraction, diag);
    warn_of_choices(abstraction, diag);
    bool is_unwanted =
        abstraction->is_exact ? options->writes_inexact_only : options->writes_exact_only;
    if (options->writes_nothing || is_unwanted) return true;
    abstraction_tell(options, "writing");
    double folded = clock_seconds();
    const struct splices edits = generate_output(abstraction, options->writes_first_step);
    if (!options->keeps_uncalled) uncalled_drop(abstraction, &edits, options->asked);
    abstraction->write_seconds = clock_seconds() - folded;
    assert(abstraction->is_exact == !abstraction->inexact.count);
    DEBUG_CHECK(output_check(abstraction));
    return true;
}
