/* SEAL - whether somebody wrote into the tree of a model after its network was made.
 *
 * A seal is a sum over all that labels and declarations are made of, pointers included. Labels that
 * are evaluated belong to the network (labels.h): nothing has to write into the tree.
 */
#pragma once

#include "lang/syntax/ast.h"

uint64_t model_seal(const struct model *model);
