#include "model/errors.h"

#include "lang/print/print.h"

enum known_errors errors_known(struct original_errors *errors) {
    if (!errors) return ERRORS_UNKNOWN;
    if (!errors->is_asked && errors->find) errors->known = errors->find(errors);
    errors->is_asked = true;
    return errors->known;
}

bool errors_are_found(const struct original_errors *errors) {
    return errors && errors->is_asked && errors->known == ERRORS_SOME;
}

const char *failure_text(struct arena *arena, const struct template *template,
                         const struct edge *edge, const struct expr *item) {
    const struct location *locations = template->locations;
    const char *target =
        edge->target < template->location_count ? locations[edge->target].name : "a branchpoint";
    const char *source =
        edge->source < template->location_count ? locations[edge->source].name : "a branchpoint";
    return arena_printf(arena, "%s: %s -> %s: %s", template->symbol->name, source, target,
                        expr_text(item, arena));
}
