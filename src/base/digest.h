/* DIGEST - SHA-256 (FIPS 180-4), which names inputs and outputs in reports. */
#ifndef VARABS_BASE_DIGEST_H
#define VARABS_BASE_DIGEST_H

#include "base/str.h"

/* 64 hexadecimal digits and a NUL. */
void digest_sha256(struct str bytes, char text[65]);

#endif
