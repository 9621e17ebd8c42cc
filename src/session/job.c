/* From what is asked for to the request, and the abstraction. */
#include "session/job.h"

#include "abstract/abstract.h"
#include "abstract/claim/taken_out.h"
#include "abstract/prepare/ghost.h"
#include "abstract/prepare/split.h"
#include "abstract/request/named.h"
#include "abstract/request/obstacle.h"
#include "agents/agents.h"
#include "lang/syntax/frame.h"
#include "lang/syntax/lex.h"
#include "session/prepare.h"
#include "session/session.h"
#include "session/spec.h"

#include <assert.h>
#include <string.h>

/* ---- merges in some processes only ---- */

/* 'Voter(1).m:T=f' (rule S8).
 *
 * The variables that the expression reads are named as --remove names them, "Voter(1).x", so that
 * the processes get a template of their own (abstract/prepare/split.h); the merge is then one of
 * that template. Queries get the new names there: a quantifier over processes of both is written
 * out.
 *
 * Lifetime: in the arena of the session.
 * Errors:   go to the session's diag, with the place of the merge.
 */

/* What one merge adds to the arguments. */
struct merged_processes {
    uint32_t merge;        /* its number in the spec */
    uint32_t first, count; /* arguments */
};

struct merged_processes_list {
    VEC(const char *) arguments;
    VEC(position) places;
    VEC(struct merged_processes) list;
};

/* Whether an owner is no template, but "Set(...)" or a name of the system line. */
static bool names_processes(const struct model *model, struct str owner) {
    if (!owner.size) return false;
    for (uint32_t i = 0; i < model->template_count; i++)
        if (str_is(owner, model->templates[i]->symbol->name)) return false;
    bool found = memchr(owner.data, '(', owner.size) != NULL;
    for (uint32_t i = 0; i < model->process_count; i++)
        found |= str_is(owner, model->processes[i].symbol->name);
    return found;
}

/* "Voter(1).x@here": the processes in which a variable is removed; NULL if there is no such
 * variable, which goes to the diag. */
static const char *argument_of(struct session *session, const struct ghost_definition *merge,
                               struct str owner, const char *name, struct diag *diag) {
    struct arena *arena = &session->arena;
    struct named_variable named;
    const char *word = arena_printf(arena, "%.*s.%s", (int)owner.size, owner.data, name);
    if (!request_read(arena, session->network, str_of(word), merge->name.begin, diag, &named) ||
        !named.template)
        return NULL;
    const struct str *scope = &merge->scope.content;
    if (!merge->scope.begin) return word;
    return arena_printf(arena, "%s@%.*s", word, (int)scope->size, scope->data);
}

static bool is_new(const struct tokens *tokens, uint32_t index) {
    for (uint32_t i = 0; i < index; i++)
        if (tokens->list.items[i].kind == TOKEN_NAME &&
            tokens->list.items[i].name == tokens->list.items[index].name)
            return false;
    return true;
}

static bool find(struct merged_processes_list *merged, struct session *session,
                 const struct ghost_definition *merge, struct str owner, uint32_t number,
                 uint32_t before) {
    struct arena *arena = &session->arena;
    struct tokens tokens = {0};
    struct diag unheard;
    const char *last = "";
    struct merged_processes found = {number, before + merged->arguments.count, 0};
    diag_init(&unheard, arena, NULL);
    if (!lex(arena, &session->names, &merge->value, &tokens, &session->diag)) return false;
    for (uint32_t t = 0; t < tokens.list.count; t++) {
        if (tokens.list.items[t].kind != TOKEN_NAME || !is_new(&tokens, t)) continue;
        last = tokens.list.items[t].name;
        const char *argument = argument_of(session, merge, owner, last, &unheard);
        if (!argument) continue;
        VEC_PUSH(arena, &merged->arguments, argument);
        VEC_PUSH(arena, &merged->places, merge->name.begin);
        found.count++;
    }
    VEC_PUSH(arena, &merged->list, found);
    if (found.count) return true;
    if (!*last || argument_of(session, merge, owner, last, &session->diag))
        diag_error(&session->diag, STATUS_USAGE, merge->value.begin,
                   "this reads no variable of these processes");
    return false;
}

/* Finds the merges that name processes; the number of arguments in front of them is given. */
static bool merged_processes_find(struct merged_processes_list *merged, const struct spec *spec,
                                  struct session *session, uint32_t before) {
    bool ok = true;
    for (uint32_t i = 0; i < spec->merges.count && ok; i++) {
        struct str name, owner = ghost_owner(&spec->merges.items[i], &name);
        if (names_processes(session->model, owner))
            ok = find(merged, session, &spec->merges.items[i], owner, i, before);
    }
    return ok;
}

/* The merge as one of the template that an argument of the new model names. */
static struct ghost_definition merge_of(const struct ghost_definition *merge, const char *argument,
                                        struct arena *arena) {
    struct ghost_definition result = *merge;
    const char *dot = strchr(argument, '.'), *at = strchr(argument, '@');
    struct str name;
    ghost_owner(merge, &name);
    assert(dot);
    result.name.content = name;
    result.name.begin = merge->name.begin + (position)(name.data - merge->name.content.data);
    result.template.content = (struct str){argument, (size_t)(dot - argument)};
    result.template.begin = merge->name.begin;
    if (at) result.scope.content = str_of(arena_printf(arena, "%s", at + 1));
    return result;
}

static bool has(const struct spec *spec, uint32_t from, struct str template) {
    bool found = false;
    for (uint32_t i = from; i < spec->merges.count; i++)
        found |= str_equal(spec->merges.items[i].template.content, template);
    return found;
}

/* Makes them merges of the templates that the processes have got. */
static void merged_processes_settle(const struct merged_processes_list *merged,
                                    const struct split *split, struct spec *spec,
                                    struct arena *arena) {
    for (uint32_t i = 0; i < merged->list.count; i++) {
        const struct merged_processes *own = &merged->list.items[i];
        struct ghost_definition merge = spec->merges.items[own->merge];
        uint32_t first = spec->merges.count;
        for (uint32_t k = 0; k < split->removal_count; k++) {
            if (split->arguments[k] < own->first || split->arguments[k] >= own->first + own->count)
                continue;
            struct ghost_definition result = merge_of(&merge, split->removals[k], arena);
            if (!has(spec, first, result.template.content)) VEC_PUSH(arena, &spec->merges, result);
        }
        assert(spec->merges.count > first); /* the processes are of some template */
        spec->merges.items[own->merge] = spec->merges.items[--spec->merges.count];
    }
}

/* ---- the favoured ---- */

/* The processes that `--favour A[,B]` names: by their names, by those of the sets on the
 * system line, or as declared agents and groups (ST11).
 *
 * Lifetime: in the arena of the session.
 * Errors:   a name of nobody is STATUS_USAGE.
 */

/* Whether a declared agent or group is called so; its processes are added. */
static bool add_declared(struct session *session, struct str name, bool *favoured) {
    const struct model *model = session->model;
    bool is_found = false;
    struct agents agents;
    if (model->lost_agents) return false;
    agents_init(&agents, &session->arena, session->network);
    for (uint32_t i = 0; i < model->agents.count; i++) {
        struct symbol *symbol = model->agents.items[i]->symbol;
        struct expr expr = {.kind = EXPR_NAME, .symbol = symbol};
        struct agent_list list = {0};
        if (!symbol || !str_is(name, symbol->name) || agents_add(&agents, &expr, &list)) continue;
        is_found = true;
        for (uint32_t a = 0; a < list.list.count; a++)
            for (uint32_t k = 0; k < list.list.items[a]->process_count; k++)
                favoured[list.list.items[a]->processes[k]->index] = true;
    }
    agents_close(&agents);
    return is_found;
}

/* By process; NULL after an error, which is reported. */
static const bool *favoured_find(struct session *session, const char *names) {
    const struct network *network = session->network;
    bool *favoured = ARENA_ARRAY(&session->arena, bool, network->process_count + 1);
    struct str rest = str_of(names), name;
    while (request_next_word(&rest, &name)) {
        bool is_found = add_declared(session, name, favoured);
        for (uint32_t i = 0; i < network->process_count; i++) {
            const struct process *process = &network->processes[i];
            if (!str_is(name, process->name) && !str_is(name, process->symbol->name)) continue;
            favoured[i] = is_found = true;
        }
        if (is_found) continue;
        diag_error(&session->diag, STATUS_USAGE, 0,
                   "--favour '%.*s': there is no such process, agent or group; `varabs info` lists "
                   "the processes",
                   (int)name.size, name.data);
        return NULL;
    }
    return favoured;
}

static bool read_merges(struct job *job, struct session *session) {
    struct spec *spec = &job->spec;
    bool ok = true;
    struct str *files = spec->files;
    if (!files) files = ARENA_ARRAY(&session->arena, struct str, job->spec_count + 1);
    *spec = (struct spec){.files = files};
    for (uint32_t i = 0; i < job->merge_count; i++)
        ok &= spec_add_merge(spec, session, job->merges[i]);
    for (uint32_t i = 0; i < job->spec_count && ok; i++)
        ok = spec_add_file(spec, session, job->specs[i], &files[i]);
    return ok;
}

/* A text about options that do not go with the kind of abstraction, which a spec may have said; or
 * NULL. */
static const char *contradiction(const struct abstract_options *options) {
    bool is_must = options->mode != MODE_MAY;
    if (options->favour && options->mode != MODE_MIXED)
        return "--favour goes with --mixed: it leaves out what is not certain of a coalition";
    if (options->mode == MODE_MIXED && options->untimes)
        return "--untime goes with --may only: a mixed model knows no clocks";
    if (options->mode == MODE_MIXED && options->stutters)
        return "--stutter goes with --may only: `varabs check` looks at the ends of runs of a "
               "mixed "
               "model by itself";
    if (options->mode == MODE_MIXED && options->drops_priorities)
        return "--drop-priorities goes with --may only: without priorities no step of a mixed "
               "model "
               "would be certain";
    if (options->mode == MODE_LOWER && options->analysis.approximation == APPROX_COMBINED)
        return "--must=lower looks at each template alone: leave out --approx combined";
    if (is_must && options->untimes) return "--untime goes with --may only: it adds steps";
    if (is_must && options->stutters)
        return "--stutter goes with --may only: more steps would be wrong in a must-abstraction; "
               "if `varabs check --full --json` finds no deadlock in it, hand its result over with "
               "--checked instead";
    if (options->mode != MODE_MAY && options->assumes_live)
        return "--assume-live goes with --may only: whether this model gets stuck, `varabs check "
               "--full` says";
    if (options->stutters && options->assumes_live)
        return "--stutter adds loops for where the original is stuck, and --assume-live says that "
               "it "
               "never is: leave out one";
    if (is_must && options->drops_priorities)
        return "--drop-priorities goes with --may only: without priorities there would be steps "
               "that the original does not have";
    return NULL;
}

bool job_read(struct job *job, struct session *session) {
    assert(!job->request.removals.count);
    struct arena *arena = &session->arena;
    struct spec *spec = &job->spec;
    struct abstract_options *options = &job->options;
    if (!read_merges(job, session)) return false;
    for (uint32_t i = 0; i < job->removal_count; i++)
        VEC_PUSH(arena, &spec->removals, (struct spec_removal){job->removals[i], 0});
    for (uint32_t i = 0; job->taken_out && i < job->taken_out->variables.count; i++)
        VEC_PUSH(arena, &spec->removals,
                 (struct spec_removal){job->taken_out->variables.items[i], 0});
    const char *problem = NULL;
    job->may_be_empty |= spec->exchanges.count > 0;
    if (!job->has_mode && spec->mode) {
        options->mode = mode_named(spec->mode);
    } else if (!job->has_mode) {
        problem = "say what kind of abstraction to write: --may, --must, --mixed or --must=lower";
    }
    if (job->has_mode && spec->mode && mode_named(spec->mode) != options->mode)
        problem = "the command line asks for another kind of abstraction; leave one out";
    else if (options->mode == MODE_LOWER && spec->merges.count)
        problem = "--must=lower knows no merges: use --must";
    else if (options->mode == MODE_LOWER && spec->exchanges.count)
        problem = "--must=lower normalises nothing: use --must";
    else if (options->mode == MODE_MIXED && spec->exchanges.count)
        problem = "--mixed normalises nothing: use --may or --must";
    else if (!spec->removals.count && !spec->merges.count && !job->may_be_empty &&
             !options->untimes)
        problem = "there is nothing to remove, merge or normalise";
    options->assumes_live |= spec->assumes_live;
    if (!problem) problem = contradiction(options);
    if (problem) diag_error(&session->diag, STATUS_USAGE, spec->mode_at, "%s", problem);
    const char **removals = ARENA_ARRAY(arena, const char *, spec->removals.count + 1);
    for (uint32_t i = 0; i < spec->removals.count; i++) removals[i] = spec->removals.items[i].text;
    job->removals = removals;
    assert(problem || spec->removals.count || spec->merges.count || job->may_be_empty ||
           options->untimes);
    job->removal_count = spec->removals.count;
    return !problem;
}

/* Variables that merges read are removed, too. Merges of a template read no global variables. */
static void want_merged(struct job *job, struct session *session) {
    const struct spec *spec = &job->spec;
    struct arena *arena = &session->arena;
    for (uint32_t i = 0; i < spec->merges.count; i++) {
        struct tokens tokens = {0};
        struct diag unheard;
        struct str name;
        diag_init(&unheard, arena, NULL);
        if (ghost_owner(&spec->merges.items[i], &name).size ||
            !lex(arena, &session->names, &spec->merges.items[i].value, &tokens, &unheard))
            continue;
        for (uint32_t t = 0; t < tokens.list.count; t++) {
            const struct token *token = &tokens.list.items[t];
            const struct symbol *symbol =
                token->kind == TOKEN_NAME ? frame_find(session->model->frame, token->name) : NULL;
            if (symbol && symbol->kind == SYMBOL_VARIABLE)
                references_want(&job->split.references, session->network, symbol, arena);
        }
    }
}

/* Merges of a template are merges of its copies. */
static void copy_merges(struct job *job, struct session *session) {
    struct spec *spec = &job->spec;
    uint32_t count = spec->merges.count;
    for (uint32_t c = 0; c < job->split.copies.count; c++) {
        const struct split_copy *copy = &job->split.copies.items[c];
        bool has_own = false;
        struct str name;
        for (uint32_t i = 0; i < count; i++)
            has_own |= str_is(ghost_owner(&spec->merges.items[i], &name), copy->name);
        for (uint32_t i = 0; i < count && !has_own; i++) {
            struct ghost_definition merge = spec->merges.items[i];
            if (!str_is(ghost_owner(&merge, &name), copy->template)) continue;
            position begin = merge.name.begin + (position)(name.data - merge.name.content.data);
            merge.name = (struct text){.content = name, .begin = begin};
            merge.template = (struct text){.content = str_of(copy->name), .begin = begin};
            VEC_PUSH(&session->arena, &spec->merges, merge);
        }
    }
}

/* Merges in some processes only add arguments that name these after the removals. */
static bool tell_apart(struct job *job, struct session *session,
                       struct merged_processes_list *merged) {
    const struct spec *spec = &job->spec;
    struct arena *arena = &session->arena;
    if (!merged_processes_find(merged, spec, session, job->removal_count)) return false;
    uint32_t count = job->removal_count + merged->arguments.count;
    position *places = ARENA_ARRAY(arena, position, count + 1);
    const char **arguments = ARENA_ARRAY(arena, const char *, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = i - job->removal_count;
        arguments[i] = i < job->removal_count ? job->removals[i] : merged->arguments.items[k];
        if (i < spec->removals.count) places[i] = spec->removals.items[i].at;
        if (i >= job->removal_count) places[i] = merged->places.items[k];
    }
    job->split.of_merges = merged->arguments.count;
    job->split.apart = job->options.favours;
    want_merged(job, session);
    job->split.errors = job->options.analysis.errors;
    job->split.asked = job->options.asked;
    job->split.keeps_record = spec->merges.count || job->options.mode == MODE_LOWER;
    return session_prepare(session, &job->split, arguments, places, count);
}

/* What is read from files and arguments joins the document, so it is read anew where that has
 * changed. Merges change the model, so the network is made anew. */
static bool make_request(struct job *job, struct session *session) {
    const struct split *split = &job->split;
    const struct spec *spec = &job->spec;
    struct request *request = &job->request;
    struct ghost_list ghosts = {0};
    const struct network *before = session->network;
    *request = (struct request){.arena = &session->arena, .is_untimed = job->options.untimes};
    struct merged_processes_list merged = {0};
    if (job->options.favour) {
        job->options.favours = favoured_find(session, job->options.favour);
        if (!job->options.favours) return false;
    }
    if (!tell_apart(job, session, &merged)) return false;
    if (session->network != before && !read_merges(job, session)) return false;
    copy_merges(job, session);
    merged_processes_settle(&merged, split, &job->spec, request->arena);
    if (spec->merges.count) {
        if (!ghosts_add(&ghosts, session->model, session->network, spec->merges.items,
                        spec->merges.count))
            return false;
        session->network = network_new(&session->arena, session->model);
        if (!session->network) return false;
    }
    bool ok = true;
    for (uint32_t i = 0; i < split->removal_count; i++) {
        uint32_t argument = split->arguments[i];      /* those of the specs come first */
        if (argument >= job->removal_count) continue; /* what ghosts follow is removed with them */
        request->at = argument < spec->removals.count ? spec->removals.items[argument].at : 0;
        ok &= request_add(request, session->network, split->removals[i], &session->diag);
    }
    for (uint32_t i = 0; i < ghosts.list.count && ok; i++)
        ok = request_add_ghost(request, session->network, ghosts.list.items[i], &session->diag);
    return ok && request_finish(request, session->network, &session->diag);
}

/* Marks would no longer say what they do. */
static bool is_original(const struct session *session) {
    const struct model *model = session->model;
    if (model->is_mixed)
        diag_error(model->diag, STATUS_UNSUPPORTED, model->mixed_at,
                   "this model is a mixed abstraction: make another one of its original");
    return !model->is_mixed;
}

bool job_make(struct job *job, struct session *session) {
    bool ok = is_original(session) && make_request(job, session) &&
              abstraction_make(&job->abstraction, &session->arena, session->network, &job->request,
                               &job->options, &session->diag);
    job->abstraction.split = &job->split;
    job->abstraction.taken_out = job->taken_out;
    if (!job->abstraction.may_fail) job->abstraction.may_fail = job->split.record.may_fail;
    if (ok && job->options.mode == MODE_MIXED && job->taken_out && job->taken_out->has_steps)
        diag_warning(&session->diag, session->network->model->system_span.begin,
                     "`varabs check` of the mixed model does not know of the processes that are "
                     "taken out: of ends of runs, next steps and coalitions, what carries over is "
                     "in the report alone");
    return ok;
}

void job_close(struct job *job) { abstraction_close(&job->abstraction); }
