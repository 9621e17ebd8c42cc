#include "model/process_names.h"

#include "base/str.h"

#include <assert.h>
#include <string.h>

void index_processes(struct map *by_name, const struct network *network) {
    for (uint32_t i = 0; i < network->process_count; i++) {
        const char *name = network->processes[i].name;
        uint64_t key = hash_bytes(name, strlen(name));
        while (map_get(by_name, key)) key++;
        map_put(by_name, key, &network->processes[i]);
    }
}

const struct process *find_process(const struct network *network, const struct map *by_name,
                                   const struct symbol *symbol, const int32_t *arguments,
                                   uint32_t count) {
    struct buffer name = {0};
    buffer_add_text(&name, symbol->name);
    for (uint32_t i = 0; i < count; i++) buffer_printf(&name, "%s%d", i ? "," : "(", arguments[i]);
    if (count) buffer_add_text(&name, ")");
    const struct process *process;
    uint64_t key = hash_bytes(name.data, name.size);
    while ((process = map_get(by_name, key)) && strcmp(process->name, name.data) != 0) key++;
    buffer_close(&name);
    assert(!process || process < network->processes + network->process_count);
    return process;
}
