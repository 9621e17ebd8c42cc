/* varabs_draw */
#include "api/job_internal.h"
#include "draw/draw.h"

static enum varabs_status draw_models(const void *given) {
    const struct models *request = given;
    struct session first, second;
    struct str page;
    bool ok = job_load(request->job, &first);
    if (request->second) ok = job_load(request->second, &second) && ok;
    run_tell("drawing");
    if (ok && draw_page(&page, &first.document, request->second ? &second.document : NULL,
                        request->name, &first.arena, &first.diag))
        run_leave(PART_OUTPUT, page.data, page.size);
    enum varabs_status of_second =
        request->second ? job_finish(&second, PART_SECOND_MESSAGES, VARABS_DONE) : VARABS_DONE;
    return job_finish(&first, PART_MESSAGES, of_second);
}

enum varabs_status varabs_draw(varabs *job, varabs *after, const char *template_name) {
    const struct models request = {.job = job, .second = after, .name = template_name};
    return job_run(job, after, draw_models, &request);
}
