// WORKER - runs one command for the page, and tells how far it is. The page ends it to cancel.
"use strict";

self.onmessage = async ({ data: { module, words, options } }) => {
    try {
        const run = makeRunner(makeVarabs, module);
        self.postMessage({ done: await run(words, { ...options, progress: (line) => self.postMessage({ line }) }) });
    } catch (error) {
        self.postMessage({ failed: `${error}` });
    }
};
