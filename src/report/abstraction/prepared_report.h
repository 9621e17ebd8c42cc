/* What was changed before an abstraction could be made, as members of its report. */
#pragma once

#include "abstract/claim/taken_out.h"
#include "abstract/prepare/split.h"

#include <jansson.h>

/* The member "split": processes that were told apart. */
json_t *split_entry(const struct split *split, const struct source *source);
/* The member "references": parameters that variables were put in place of. */
json_t *references_entry(const struct references *references, const struct source *source);
/* The member "record": variables whose record was taken out. */
/* The member "without": processes that were taken out. */
json_t *taken_out_entry(const struct taken_out *taken_out);
