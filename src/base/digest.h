/* DIGEST - SHA-256 (FIPS 180-4), which names inputs and outputs in reports. */
#pragma once

#include "base/str.h"

/* 64 hexadecimal digits and a NUL. */
void digest_sha256(struct str bytes, char text[65]);
