#include "abstract/claim/condition.h"

struct claim_condition condition_find(struct arena *arena, struct analysis *values) {
    struct claim_condition condition = {.state = CONDITION_OPEN};
    if (!values) return condition;
    condition.is_looked_at = true;
    condition.may_fail = may_fail_find(arena, values);
    if (!condition.may_fail.list.count) condition.state = CONDITION_CANNOT_FAIL;
    return condition;
}
