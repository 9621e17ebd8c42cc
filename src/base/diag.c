#define _POSIX_C_SOURCE 200809L /* flockfile */

#include "base/diag.h"

#include "base/str.h"

#include <assert.h>
#include <stdlib.h>

/* Borrows the source, which says where positions are; messages live in the arena. */
void diag_init(struct diag *diag, struct arena *arena, const struct source *source) {
    *diag = (struct diag){.arena = arena, .source = source};
}

uint32_t diag_mark(const struct diag *diag) { return diag->error_count + diag->warning_count; }

/* Invalid text first: what follows from it may only look unsupported. */
static int gravity(enum status status) {
    static const int of[] = {
        [STATUS_USAGE] = 1, [STATUS_LIMIT] = 2, [STATUS_UNSUPPORTED] = 3, [STATUS_INVALID] = 4};
    assert((size_t)status < sizeof of / sizeof *of);
    return of[status];
}

__attribute__((format(printf, 4, 0))) static void diag_add(struct diag *diag, enum status status,
                                                           position at, const char *format,
                                                           va_list arguments) {
    struct diagnostic *place = NULL; /* of a warning that an error may push out: the last */
    uint32_t order = diag_mark(diag);
    if (diag->items.count >= DIAG_LIMIT) {
        if (status == STATUS_DONE) return;
        for (uint32_t i = 0; i < diag->items.count; i++)
            if (diag->items.items[i].status == STATUS_DONE &&
                (!place || diag->items.items[i].order > place->order))
                place = &diag->items.items[i];
        if (!place) return;
    }
    struct diagnostic item = {.status = status,
                              .at = at,
                              .order = order,
                              .message = arena_vprintf(diag->arena, format, arguments)};
    if (place)
        *place = item;
    else
        VEC_PUSH(diag->arena, &diag->items, item);
}

bool diag_error(struct diag *diag, enum status status, position at, const char *format, ...) {
    assert(status >= STATUS_USAGE);
    va_list arguments;
    va_start(arguments, format);
    diag_add(diag, status, at, format, arguments);
    va_end(arguments);
    diag->error_count++;
    if (gravity(status) > gravity(diag->status)) diag->status = status;
    return false;
}

/* As diag_error, but the status of the run stays what it is. */
void diag_warning(struct diag *diag, position at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    diag_add(diag, STATUS_DONE, at, format, arguments);
    va_end(arguments);
    diag->warning_count++;
}

/* There must be no error: warnings only are said again by a later pass. */
void diag_forget(struct diag *diag, uint32_t mark) {
    uint32_t kept = 0, kept_before = 0;
    assert(!diag->error_count && mark <= diag->warning_count);
    for (uint32_t i = 0; i < diag->items.count; i++) {
        struct diagnostic *item = &diag->items.items[i];
        if (!item->stays && item->order < mark) continue;
        kept_before += item->order < mark;
        item->stays = true;
        diag->items.items[kept++] = *item;
    }
    diag->items.count = kept;
    diag->warning_count -= mark - kept_before;
}

static int compare(const void *left, const void *right) {
    const struct diagnostic *a = left, *b = right;
    if (a->is_elsewhere != b->is_elsewhere) return a->is_elsewhere ? 1 : -1;
    if (!a->is_elsewhere && a->place.line != b->place.line)
        return a->place.line < b->place.line ? -1 : 1;
    if (!a->is_elsewhere && a->place.column != b->place.column)
        return a->place.column < b->place.column ? -1 : 1;
    if (a->at != b->at) return a->at < b->at ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static bool is_repetition(const struct diag *diag, uint32_t kept, const struct diagnostic *item) {
    for (uint32_t i = 0; i < kept; i++) {
        const struct diagnostic *other = &diag->items.items[i];
        if (other->place.line == item->place.line && other->place.column == item->place.column &&
            other->is_elsewhere == item->is_elsewhere &&
            (!item->is_elsewhere || other->at == item->at) &&
            str_is(str_of(other->message), item->message))
            return true;
    }
    return false;
}

void diag_sort(struct diag *diag) {
    if (!diag->items.count) return;
    for (uint32_t i = 0; i < diag->items.count && diag->source; i++) {
        struct diagnostic *item = &diag->items.items[i];
        item->place = source_locate(diag->source, item->at);
        item->is_elsewhere = source_name(diag->source, item->at) != diag->source->name;
    }
    qsort(diag->items.items, diag->items.count, sizeof *diag->items.items, compare);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < diag->items.count; i++)
        if (!is_repetition(diag, kept, &diag->items.items[i]))
            diag->items.items[kept++] = diag->items.items[i];
    diag->items.count = kept;
}

/* Bytes of the character that a text begins with; 0 if it is a control character or not UTF-8. */
static size_t visible_size(const unsigned char *text) {
    if (*text < 0x80) return *text >= ' ' && *text != 0x7f;
    size_t size = *text >= 0xf0 ? 4 : *text >= 0xe0 ? 3 : 2;
    if (*text < 0xc2 || *text > 0xf4 || (*text == 0xc2 && text[1] < 0xa0)) return 0;
    for (size_t i = 1; i < size; i++)
        if ((text[i] & 0xc0) != 0x80) return 0;
    return size;
}

void print_visible(FILE *file, const char *text) {
    while (*text) {
        size_t size = visible_size((const unsigned char *)text);
        if (size)
            fwrite(text, 1, size, file);
        else
            fprintf(file, "\\x%02X", (unsigned char)*text);
        text += size ? size : 1;
    }
}

void diag_print(struct diag *diag, FILE *file) {
    diag_sort(diag);
    const char *name = diag->source ? diag->source->name : "varabs";
    flockfile(file); /* others may print at the same time, as threads of a host do */
    for (uint32_t i = 0; i < diag->items.count; i++) {
        const struct diagnostic *item = &diag->items.items[i];
        struct source_location place = item->place;
        print_visible(file, diag->source ? source_name(diag->source, item->at) : name);
        if (place.line) fprintf(file, ":%u:%u", place.line, place.column);
        fprintf(file, ": %s: ", item->status == STATUS_DONE ? "warning" : "error");
        print_visible(file, item->message);
        fputc('\n', file);
    }
    uint32_t total = diag->error_count + diag->warning_count;
    if (total > DIAG_LIMIT && diag->items.count) {
        print_visible(file, name);
        fprintf(file, ": note: only %d of %u messages are shown\n", DIAG_LIMIT, total);
    }
    funlockfile(file);
}
