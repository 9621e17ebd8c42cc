#include "refine/attempt.h"

#include "abstract/fold/choice.h"
#include "base/interrupt.h"
#include "refine/ends_alike.h"
#include "session/job.h"
#include "session/queries.h"
#include "suggest/candidate.h"

#include <assert.h>

/* Of one model, for the queries for which the same values are exchanged. */
struct attempt_search {
    VEC(uint32_t) numbers; /* of attempts */
    struct session session;
    struct verification verification;
    bool has_verification;
};

/* Two jobs: of the queries that are asked, and of the document, whose output is searched. */
struct merged_attempt {
    struct session asked_session, session;
    struct job asked, job;
    const struct claim_condition *condition;
    bool may_rely;
};

/* ---- which queries share a search ---- */

static const struct query_source *sources_of(struct arena *arena, const struct network *network) {
    const struct model *model = network->model;
    struct query_source *sources = ARENA_ARRAY(arena, struct query_source, model->query_count);
    for (uint32_t i = 0, count = 0; i < model->query_count; i++) {
        if (model->queries[i].is_declaration) continue;
        struct str formula = model->queries[i].xml->formula->text.content;
        sources[count++].text = arena_copy(arena, formula.data, formula.size);
    }
    return sources;
}

static void exchange(struct attempts *attempts, const struct query_source *sources,
                     const struct abstract_options *options) {
    const struct abstract_options quick = suggest_quick_options(options);
    attempts->normaliser = normaliser_new(&attempts->arena, attempts->output, sources,
                                          attempts->count, &quick.analysis);
    if (!attempts->normaliser || normaliser_queries(attempts->normaliser)->count != attempts->count)
        return;
    for (uint32_t i = 0; i < attempts->count; i++) {
        bool *is_asked = ARENA_ARRAY(&attempts->arena, bool, attempts->count);
        is_asked[i] = true;
        normaliser_run(attempts->normaliser, is_asked, KEYS_ANY, &attempts->list[i].normal);
    }
}

static struct attempt_search *search_for(struct attempts *attempts, const struct normal *normal) {
    for (uint32_t i = 0; i < attempts->searches.count; i++) {
        struct attempt_search *search = attempts->searches.items[i];
        if (normal_is_same(&attempts->list[search->numbers.items[0]].normal, normal)) return search;
    }
    struct attempt_search *search = ARENA_NEW(&attempts->arena, struct attempt_search);
    VEC_PUSH(&attempts->arena, &attempts->searches, search);
    return search;
}

/* ---- searching ---- */

static void take_doubt(struct attempt *attempt) {
    const struct decided_formula *known = attempt->answer->known;
    if (attempt->answer->problem) attempt->reason = attempt->answer->problem;
    attempt->is_open = known && known->outcome == KNOWN_OPEN;
    if (!attempt->is_open) return;
    attempt->reason =
        known->doubt ? known->doubt : "no strategy was found among those tried, and not all were";
    attempt->doubted = known->doubted;
}

/* The claim for the original; deadlocks of the abstraction have been counted if it was explored
 * completely. */
static void judge(struct attempt *attempt, const struct guarantee *guarantee,
                  enum path_semantics path) {
    const struct carry *carry =
        guarantee->is_mixed ? &guarantee->three_valued : &guarantee->carry[path];
    assert(attempt->is_made && attempt->answer);
    attempt->bounds = guarantee->bound != BOUND_NONE;
    attempt->reason = carry->reason;
    attempt->carries = (attempt->verdict == VERDICT_SATISFIED && carry->satisfied) ||
                       (attempt->verdict == VERDICT_VIOLATED && carry->violated);
    take_doubt(attempt);
}

static void take_answer(struct attempt *attempt, const struct verification *found,
                        const struct answer *answer, const struct verify_options *options) {
    uint64_t states = found->figures.states.value; /* there may be more than JSON can say */
    attempt->answer = answer;
    attempt->search = found->search;
    attempt->verdict = answer->verdict;
    attempt->states = states < INT64_MAX ? states : INT64_MAX;
    bool is_ended =
        attempt->verdict == VERDICT_UNKNOWN || (options->wants_traces && !answer->trace);
    if (is_ended) attempt->limit = found->search->limit; /* else it ended another one's */
}

static bool relies(const struct attempts *attempts, const struct guarantee *guarantee,
                   enum path_semantics path) {
    return attempts->abstraction->may_fail || guarantee->carry[path].relies;
}

static void take_answers(struct attempts *attempts, struct attempt_search *search,
                         const struct verify_options *options) {
    const struct verification *found = &search->verification;
    bool is_complete = found->engine == ENGINE_SYMBOLIC ? found->figures.deadlocks.is_known
                                                        : found->search->is_complete;
    enum path_semantics path = options->semantics == SEMANTICS_KRIPKE ? PATH_KRIPKE : PATH_UPPAAL;
    struct guarantees guarantees = {0};
    if (attempts->merged) guarantees.condition = *attempts->merged->condition;
    if (is_complete)
        guarantees.output =
            (struct explored){true, found->figures.deadlocks.value, found->figures.errors.value};
    guarantees_make(&guarantees, attempts->abstraction);
    assert(guarantees.list.count == attempts->count);
    uint64_t most = options->search.max_states, value = found->figures.states.value;
    attempts->states += most && most < value ? most : value;
    for (uint32_t i = 0; i < search->numbers.count; i++) {
        uint32_t number = search->numbers.items[i];
        struct attempt *attempt = &attempts->list[number];
        take_answer(attempt, found, &found->answers[i], options);
        attempt->session = &search->session;
        judge(attempt, &guarantees.list.items[number], path);
        attempt->carries &= !attempts->merged || attempts->merged->may_rely ||
                            !relies(attempts, &guarantees.list.items[number], path);
    }
}

/* Reads the output back, with these queries alone. */
static bool open_output(struct attempts *attempts, struct attempt_search *search,
                        const struct query_source *sources) {
    const struct normal *normal = &attempts->list[search->numbers.items[0]].normal;
    uint32_t count = search->numbers.count;
    struct query_source *own = ARENA_ARRAY(&attempts->arena, struct query_source, count);
    for (uint32_t i = 0; i < count; i++) own[i] = sources[search->numbers.items[i]];
    return session_load_bytes(&search->session, "(abstraction)",
                              normal->points.count ? normal->output : attempts->output) &&
           session_build_for(&search->session, own, count) &&
           search->session.model->query_count == count;
}

static void run(struct attempts *attempts, struct attempt_search *search,
                const struct query_source *sources, const struct verify_options *options) {
    struct session *session = &search->session;
    if (open_output(attempts, search, sources)) {
        search->has_verification = true;
        if (verify(&search->verification, &session->arena, session->network,
                   session->model->queries, search->numbers.count, options)) {
            take_answers(attempts, search, options);
            return;
        }
    }
    for (uint32_t i = 0; i < search->numbers.count; i++) {
        struct attempt *attempt = &attempts->list[search->numbers.items[i]];
        attempt->reason = trial_problem(&session->diag);
        if (search->has_verification) attempt->limit = search->verification.search->limit;
    }
}

/* ---- all of it ---- */

static void say_all(struct attempts *attempts, struct attempt attempt) {
    for (uint32_t i = 0; i < attempts->count; i++) attempts->list[i] = attempt;
}

/* Makes the abstraction; false if it is not worth checking. */
static bool make(struct attempts *attempts, const struct network *network,
                 const struct removals *removals, const struct abstract_options *options) {
    struct attempt all = {.verdict = VERDICT_UNKNOWN};
    const struct abstraction *abstraction = &attempts->work.abstraction;
    all.is_made =
        trial_begin(&attempts->work, network, removals->arguments, removals->count, options);
    if (all.is_made) {
        assert(abstraction->is_exact || abstraction->inexact.count);
        all.is_exact = abstraction->is_exact;
        if (!all.is_exact) all.culprit = abstraction->inexact.items[0];
        all.reason = choice_problem(abstraction);
        all.is_wide = !all.is_exact && all.reason;
    } else {
        all.reason = attempts->work.problem;
    }
    say_all(attempts, all);
    return all.is_made && !all.is_wide;
}

/* A formula of the model itself: what nobody has written again is sure to be the same (O1). */
static void run_itself(struct attempts *attempts, const struct network *network,
                       const struct verify_options *options) {
    struct attempt_search *search = ARENA_NEW(&attempts->arena, struct attempt_search);
    struct verify_options own = *options;
    struct diag diag; /* whose messages are not of interest */
    diag_init(&diag, &attempts->arena, &network->model->document->source);
    own.search.diag = &diag;
    VEC_PUSH(&attempts->arena, &attempts->searches, search);
    search->has_verification = true;
    bool is_made = verify(&search->verification, &attempts->arena, network, network->model->queries,
                          attempts->count, &own);
    for (uint32_t i = 0; i < attempts->count; i++) {
        struct attempt *attempt = &attempts->list[i];
        *attempt = (struct attempt){
            .is_made = is_made, .is_exact = true, .reason = "it is the model itself"};
        if (!is_made) attempt->reason = trial_problem(&diag);
        if (!is_made) continue;
        take_answer(attempt, &search->verification, &search->verification.answers[i], options);
        attempt->carries = attempt->verdict != VERDICT_UNKNOWN;
        take_doubt(attempt);
    }
    if (is_made) attempts->states = search->verification.figures.states.value;
}

void attempts_none(struct attempts *attempts, uint32_t count) {
    *attempts = (struct attempts){.count = count};
    arena_init(&attempts->arena);
    attempts->list = ARENA_ARRAY(&attempts->arena, struct attempt, count);
}

void attempts_make(struct attempts *attempts, const struct network *network,
                   const struct removals *removals, const struct abstract_options *options,
                   const struct verify_options *verify) {
    assert(network->model->query_count);
    attempts_none(attempts, network->model->query_count);
    bool is_formula = network->model->queries[0].quantifier == QUERY_FORMULA;
    if (is_formula && !removals->count) {
        run_itself(attempts, network, verify);
        return;
    }
    if (!make(attempts, network, removals, options)) return;
    const struct query_source *sources = sources_of(
        &attempts->arena, attempts->work.has_session ? attempts->work.session.network : network);
    attempts->abstraction = &attempts->work.abstraction;
    attempts->output = attempts->work.abstraction.output;
    /* Equal states of the model itself stay apart where nothing else helped
     * (removal_candidates.h). */
    if (!is_formula && (removals->count || !network->persistent.count))
        exchange(attempts, sources, options);
    for (uint32_t i = 0; i < attempts->count; i++) {
        struct attempt_search *search = search_for(attempts, &attempts->list[i].normal);
        VEC_PUSH(&attempts->arena, &search->numbers, i);
    }
    for (uint32_t i = 0; i < attempts->searches.count; i++)
        run(attempts, attempts->searches.items[i], sources, verify);
}

/* ---- with merges ---- */

static bool make_job(struct job *job, struct session *session, const struct network *network,
                     const struct merge_list *merges, const struct abstract_options *options,
                     const char *asked, bool is_asked) {
    const struct document *document = network->model->document;
    *job = (struct job){.merges = merges->arguments,
                        .merge_count = merges->count,
                        .options = *options,
                        .has_mode = true};
    job->options.memo = NULL; /* which is of another network */
    job->options.known = NULL;
    job->options.tell = NULL;
    job->options.by_cells_only = true; /* by values it may take very long */
    job->options.analysis.errors = NULL;
    job->options.writes_nothing = is_asked;
    const struct model *model = network->model;
    job->options.asked = asked;
    uint32_t formulas = 0, count = 0;
    for (uint32_t i = 0; i < model->query_count; i++) {
        formulas += model->queries[i].quantifier == QUERY_FORMULA;
        count += is_asked_query(&model->queries[i]);
    }
    /* what agents observe is written into the output if the document asks about them */
    bool has_agents = model->agents.count || formulas;
    return session_load_bytes(session, document->source.name, document->bytes) &&
           (!has_agents || (session_build(session) && session_write_queries(session, model))) &&
           (!is_asked    ? session_build(session)
            : has_agents ? session_build_last(session, count)
                         : trial_build(session, model->queries, model->query_count)) &&
           job_read(job, session) && job_make(job, session) && !interrupt_is_asked();
}

static bool is_dropped(const struct abstraction *abstraction, uint32_t query) {
    for (uint32_t i = 0; i < abstraction->dropped_queries.count; i++)
        if (abstraction->dropped_queries.items[i] == query) return true;
    return false;
}

/* The queries as they are asked of merged variables. */
static void search_merged(struct attempts *attempts, const struct verify_options *verify) {
    const struct abstraction *abstraction = attempts->abstraction;
    struct query_source *sources =
        (struct query_source *)sources_of(&attempts->arena, abstraction->network);
    struct attempt_search *search = ARENA_NEW(&attempts->arena, struct attempt_search);
    for (uint32_t i = 0; i < abstraction->rewritten_queries.count; i++)
        sources[abstraction->rewritten_queries.items[i].index].text =
            abstraction->rewritten_queries.items[i].formula;
    for (uint32_t i = 0; i < attempts->count; i++) {
        struct attempt *attempt = &attempts->list[i];
        attempt->is_made = !is_dropped(abstraction, i);
        if (attempt->is_made)
            VEC_PUSH(&attempts->arena, &search->numbers, i);
        else
            attempt->reason = "the query asks more than the merged variables say";
    }
    if (!search->numbers.count) return;
    VEC_PUSH(&attempts->arena, &attempts->searches, search);
    run(attempts, search, sources, verify);
}

static void show_ends(struct merged_attempt *merged) {
    struct abstraction *asked = &merged->asked.abstraction, *abstraction = &merged->job.abstraction;
    struct guarantees wanted = {.condition = *merged->condition};
    guarantees_make(&wanted, asked);
    ends_alike_show(abstraction, &wanted);
    asked->ends = abstraction->ends;
}

void attempts_make_merged(struct attempts *attempts, const struct network *network,
                          const struct merge_list *merges, const struct abstract_options *options,
                          const struct claim_condition *condition, bool may_rely,
                          const struct verify_options *verify) {
    attempts_none(attempts, network->model->query_count);
    struct merged_attempt *merged = ARENA_NEW(&attempts->arena, struct merged_attempt);
    attempts->merged = merged;
    merged->condition = condition;
    merged->may_rely = may_rely;
    const char *asked =
        queries_as_text(&attempts->arena, network->model->queries, network->model->query_count);
    bool is_asked =
        make_job(&merged->asked, &merged->asked_session, network, merges, options, asked, true);
    bool is_made = is_asked &&
                   make_job(&merged->job, &merged->session, network, merges, options, asked, false);
    struct attempt all = {.verdict = VERDICT_UNKNOWN, .is_made = is_made};
    if (!is_made) {
        all.reason = interrupt_is_asked() ? interrupt_reason()
                                          : trial_problem(is_asked ? &merged->session.diag
                                                                   : &merged->asked_session.diag);
        say_all(attempts, all);
        return;
    }
    attempts->abstraction = &merged->asked.abstraction;
    attempts->output = merged->job.abstraction.output;
    all.is_exact = attempts->abstraction->is_exact;
    all.reason = choice_problem(attempts->abstraction);
    all.is_wide = !all.is_exact && all.reason;
    say_all(attempts, all);
    if (all.is_wide) return;
    show_ends(merged);
    search_merged(attempts, verify);
}

void attempts_close(struct attempts *attempts) {
    for (uint32_t i = 0; i < attempts->searches.count; i++) {
        struct attempt_search *search = attempts->searches.items[i];
        if (search->has_verification) verify_close(&search->verification);
        session_drop(&search->session);
    }
    normaliser_free(attempts->normaliser);
    if (attempts->merged) {
        job_close(&attempts->merged->asked);
        job_close(&attempts->merged->job);
        session_drop(&attempts->merged->asked_session);
        session_drop(&attempts->merged->session);
    } else {
        trial_end(&attempts->work);
    }
    arena_close(&attempts->arena);
}
