/* ENCODING - bytes of the file against characters.
 *
 * Source: the XML specification, appendix F, for the guess; the tables of the Unicode consortium
 *         for single-byte encodings that expat does not know.
 */
#pragma once

#include "xml/document.h"

/* The family of encodings that the first bytes belong to. */
enum encoding encoding_guess(struct str bytes);

/* Bytes of one code unit: 1 or 2. */
size_t encoding_unit(const struct document *document);

/* The code unit at a byte offset; 0 past the end. */
uint32_t encoding_unit_at(const struct document *document, size_t offset);

/* Bytes that size bytes of decoded text take in the file. */
size_t encoding_file_size(const struct document *document, const char *text, size_t size);

/* Offset in the file of the byte where a position begins. */
size_t document_byte(const struct document *document, position at);

/* Whether name is ISO-8859-1 or another single-byte encoding. */
bool encoding_is_single_byte(const char *name);

/* Fills the code point of each byte (-1 for none) of a single-byte encoding; false if unknown. */
bool encoding_table(const char *name, int points[256]);

/* Whether name is "utf8", as some programs write UTF-8. */
bool encoding_is_utf8_alias(const char *name);

/* Decodes the character at *text and advances; U+FFFD for what is not UTF-8. */
uint32_t utf8_next(const char **text, const char *end);
