/* DATA SIZE - a constant that says how many data there are, and nothing else (D3); and one that is
 * the name of one of them, and nothing else (D4).
 */
#pragma once

#include "model/data.h"

/* A global constant that types of a class mention, and that only bounds types of these classes from
 * above: then the model has the same steps for any greater value, and for each from *least on. NULL
 * if there is none. */
const struct symbol *data_size_of(const struct data *data, const struct data_class *const *classes,
                                  uint32_t count, const struct data_class *class, int32_t *least);

/* A global constant that labels and queries compare with values of the class, or assign to them,
 * and that stands nowhere else: for each value in *range the model has the same steps, but for
 * names of values. NULL if there is none, or no other value. */
const struct symbol *data_any_of(const struct data *data, const struct data_class *class,
                                 struct data_kind *range);
