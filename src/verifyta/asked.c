#define _POSIX_C_SOURCE 200809L

#include "verifyta/asked.h"

#include "command/fits.h"
#include "lang/syntax/query_text.h"
#include "verifyta/messages.h"
#include "xml/input.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

struct reading {
    struct asked_list *asked;
    const struct verifyta_arguments *arguments;
    struct arena *arena;
    struct session session;
    struct query_texts texts;
    VEC(const char *) places; /* by text */
    bool *is_told;            /* by text: it has a problem */
};

static void add_texts(struct reading *reading, const struct text *text, const char *place) {
    struct arena *arena = &reading->session.arena;
    uint32_t first = reading->texts.list.count;
    query_texts_add(&reading->texts, text, false);
    for (uint32_t i = first; i < reading->texts.list.count; i++) {
        const struct source *source = &reading->session.document.source;
        position begin = reading->texts.list.items[i].formula->text.begin;
        VEC_PUSH(arena, &reading->places,
                 place ? place
                       : arena_printf(reading->arena, "%s:%u", reading->arguments->query_file,
                                      source_locate(source, begin).line));
    }
}

/* The queries of the document; those in comments are none of Uppaal's. */
static void add_own(struct reading *reading) {
    const struct document *document = &reading->session.document;
    for (uint32_t i = 0; i < document->query_count; i++)
        if (document->query_list[i].formula)
            add_texts(reading, &document->query_list[i].formula->text,
                      arena_printf(reading->arena, "/nta/queries/query[%u]/formula", i + 1));
}

static bool begins_as_model(struct str text) {
    static const char *const begins[] = {"<?xml", "<!DOCTYPE", "<nta"};
    text = str_trim(text);
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        size_t size = strlen(begins[i]);
        if (text.size >= size && !memcmp(text.data, begins[i], size)) return true;
    }
    return false;
}

static bool add_file(struct reading *reading) {
    struct session *session = &reading->session;
    const char *path = reading->arguments->query_file;
    struct text text = {0};
    if (!file_load(path, &session->arena, &text.content))
        return diag_error(&session->diag, STATUS_INVALID, 0, "cannot read the query file '%s': %s",
                          path, strerror(errno));
    if (text.content.size >= DOCUMENT_MAX_BYTES)
        return diag_error(&session->diag, STATUS_LIMIT, 0, "the queries of '%s' are too long",
                          path);
    if (text.content.size >= 3 && !memcmp(text.content.data, "\357\273\277", 3))
        text.content = (struct str){text.content.data + 3, text.content.size - 3};
    if (begins_as_model(text.content))
        return diag_error(&session->diag, STATUS_INVALID, 0, "'%s' is a model, not a query file",
                          path);
    text.begin = source_add_text(&session->document.source, path, text.content);
    add_texts(reading, &text, NULL);
    return true;
}

/* Without a query file verifyta looks for one beside the model, and when it takes that is not
 * known. */
static bool is_unclear(const struct reading *reading) {
    const char *model = reading->arguments->model, *dot = strrchr(model, '.');
    if (reading->arguments->query_file || reading->arguments->takes_own_queries) return false;
    size_t size = dot && !strchr(dot, '/') ? (size_t)(dot - model) : strlen(model);
    const char *beside = arena_printf(reading->arena, "%.*s.q", (int)size, model);
    if (access(beside, F_OK) != 0) return false;
    reading->asked->problem =
        arena_printf(reading->arena,
                     "there are queries in '%s', too: name that file after the model, or say "
                     "--embedded-queries",
                     beside);
    reading->asked->status = STATUS_USAGE;
    return true;
}

/* What varabs does not answer in verifyta's place, or NULL. */
static const char *problem_of(const struct query *query) {
    if (query->is_declaration) return "this is no query of Uppaal";
    switch (query->quantifier) {
    case QUERY_ALWAYS:
    case QUERY_POSSIBLY:
    case QUERY_EVENTUALLY:
    case QUERY_POTENTIALLY:
    case QUERY_LEADS_TO: return NULL;
    case QUERY_SUP:
    case QUERY_INF:
    case QUERY_BOUNDS: return "how verifyta writes the result of sup, inf and bounds is not known";
    case QUERY_EMPTY: return "there is no query";
    case QUERY_FORMULA: return "operators in each other are for `varabs check`";
    case QUERY_INVALID: break;
    }
    return query->problem ? query->problem : "this query cannot be used";
}

static struct asked_query query_new(struct reading *reading, uint32_t number) {
    const struct query *query = &reading->session.model->queries[number];
    struct str text = reading->texts.list.items[number].formula->text.content;
    const char *problem = problem_of(query);
    return (struct asked_query){.text = arena_copy(reading->arena, text.data, text.size),
                                .place = reading->places.items[number],
                                .quantifier = query->quantifier,
                                .problem =
                                    problem ? arena_printf(reading->arena, "%s", problem) : NULL,
                                .verdict = VERDICT_UNKNOWN};
}

static void take_queries(struct reading *reading) {
    struct asked_list *asked = reading->asked;
    asked->count = reading->texts.list.count;
    asked->items = ARENA_ARRAY(reading->arena, struct asked_query, asked->count + 1);
    reading->is_told = ARENA_ARRAY(reading->arena, bool, asked->count + 1);
    for (uint32_t i = 0; i < asked->count; i++) {
        const struct query *query = &reading->session.model->queries[i];
        enum status own =
            query->quantifier == QUERY_INVALID ? query->problem_status : STATUS_UNSUPPORTED;
        asked->items[i] = query_new(reading, i);
        reading->is_told[i] = asked->items[i].problem;
        if (reading->is_told[i] && own > asked->status) asked->status = own;
    }
}

static bool read_all(struct reading *reading) {
    struct session *session = &reading->session;
    if (is_unclear(reading)) return false;
    if (!session_load(session, reading->arguments->model)) return false; /* as it stands */
    reading->texts.arena = &session->arena;
    if (!reading->arguments->query_file)
        add_own(reading);
    else if (!add_file(reading))
        return false;
    return session_build_with(session, reading->texts.list.items, reading->texts.list.count) &&
           model_fits(session->network, FOR_DECIDE);
}

void asked_read(struct asked_list *asked, const struct verifyta_arguments *arguments,
                struct arena *arena, FILE *messages) {
    struct reading reading = {.asked = asked, .arguments = arguments, .arena = arena};
    struct session *session = &reading.session;
    *asked = (struct asked_list){.status = STATUS_DONE};
    bool is_read = read_all(&reading);
    if (is_read) take_queries(&reading);
    if (is_read && !asked->count) {
        asked->problem = "there is no query";
        asked->status = STATUS_USAGE;
    }
    if (!session->diag.arena) return; /* nothing was opened */
    if (!is_read) {
        asked->problem = "";
        asked->status = session->diag.status;
    }
    asked->has_warnings = session->diag.warning_count > 0;
    verifyta_messages_print(messages, session, &reading.texts, reading.is_told, true);
    session_drop(session);
}

bool asked_has_run(const struct asked_query *query) {
    bool is_existential =
        query->quantifier == QUERY_POSSIBLY || query->quantifier == QUERY_POTENTIALLY;
    return query->verdict == (is_existential ? VERDICT_SATISFIED : VERDICT_VIOLATED);
}
