/* varabs export: a model for Spin. */
#include "command/command.h"
#include "export/promela.h"

enum status command_export(const struct command_request *request, struct sink *sink) {
    struct session session;
    struct promela promela = {0};
    bool is_open = command_load(&session, &request->first) && session_build(&session);
    tell("exporting");
    if (is_open && sink->is_ready(sink, &session) &&
        export_promela(&promela, session.network, request->first.name, sink->code) &&
        sink_is_in_time(&session.diag)) {
        const struct str model = {promela.model.data, promela.model.size},
                         code = {promela.code.data, promela.code.size};
        if (!code.size || sink->put(sink, PART_CODE, 0, code, &session.diag))
            sink->put(sink, PART_OUTPUT, 0, model, &session.diag);
    }
    promela_close(&promela);
    return sink->end(sink, &session, NULL, STATUS_DONE);
}
