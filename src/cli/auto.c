/* See auto.h. */
#include "cli/auto.h"

#include "cli/progress.h"
#include "suggest/suggest.h"

#include <assert.h>

void auto_choose(struct session *session, struct options *options, const struct query *queries,
                 uint32_t count) {
    struct suggestion suggestion;
    struct abstract_options trials = options->abstract;
    trials.writes_nothing = true;
    suggestion_make(&suggestion, &session->arena, session->network, queries, count, &trials,
                    progress_trial);
    assert(!options->removal_count); /* --auto goes alone */
    options->removals = suggestion_arguments(&suggestion, &session->arena);
    options->removal_count = suggestion.exact.count;
}

void auto_print(const struct session *session, const struct job *job, bool is_normalised) {
    printf("%s: ", session->document.source.name);
    if (!job->removal_count)
        puts(is_normalised ? "nothing can be removed exactly"
                           : "nothing can be removed exactly; the output is the model as it is");
    for (uint32_t i = 0; i < job->removal_count; i++)
        printf("%s%s%s", i ? " " : "removed: ", job->removals[i],
               i + 1 == job->removal_count ? "\n" : "");
}
