#include "report/shell.h"

#include "base/str.h"

#include <string.h>

const char *shell_word(const char *word, struct arena *arena) {
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "_-./,:@%+";
    struct buffer quoted = {0};
    if (*word && !word[strspn(word, safe)]) return word;
    buffer_add_text(&quoted, "'");
    for (const char *at = word; *at; at++)
        if (*at == '\'')
            buffer_add_text(&quoted, "'\\''");
        else
            buffer_add(&quoted, at, 1);
    buffer_add_text(&quoted, "'");
    word = buffer_finish(&quoted, arena);
    return word;
}
