/* ABSTRACTING - what making an abstraction is made of besides (session/job.h). */
#ifndef VARABS_WORK_ABSTRACTING_H
#define VARABS_WORK_ABSTRACTING_H

#include "session/job.h"

/* A must-abstraction without any step shows next to nothing: warns of that. */
void abstracting_warn(const struct job *job, struct session *session);

#endif
