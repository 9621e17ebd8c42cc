#include "session/prepare.h"

#include "abstract/prepare/record.h"
#include "abstract/prepare/reference_write.h"

static bool replace_references(struct session *session, struct split *split) {
    struct splices splices;
    if (!split->references.wanted.count && !session->model->hides_types) return true;
    splices_init(&splices, &session->document, &session->arena);
    return references_replace(&split->references, &splices, session->network, &session->diag) &&
           session_rewrite(session, &splices);
}

static bool take_record_out(struct session *session, struct split *split) {
    struct splices splices;
    splices_init(&splices, &session->document, &session->arena);
    return split->keeps_record ||
           !record_take_out(&split->record, &splices, session->network, split->removals,
                            split->removal_count, split->errors, split->asked) ||
           session_rewrite(session, &splices);
}

bool session_prepare(struct session *session, struct split *split, const char *const *arguments,
                     const position *places, uint32_t count) {
    struct splices splices;
    splices_init(&splices, &session->document, &session->arena);
    if (!split_plan(split, &splices, session->network, arguments, places, count, &session->diag) ||
        (split->copies.count && !session_rewrite(session, &splices)))
        return false;
    return replace_references(session, split) && take_record_out(session, split);
}
