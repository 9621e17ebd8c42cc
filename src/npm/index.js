// INDEX - commands of varabs on files in memory, each in a worker thread: see index.d.ts.
"use strict";

const path = require("path");
const { Worker } = require("worker_threads");
const { version } = require("./package.json");

function isBytes(data) {
    return typeof data === "string" || data instanceof Uint8Array;
}

// Before a worker begins, so that the mistake is where the call is.
function check(args, { files, stdin, progress }) {
    if (!Array.isArray(args) || !args.every((word) => typeof word === "string"))
        throw new TypeError("varabs: run takes a list of texts, as [\"check\", \"model.xml\"]");
    for (const [name, data] of Object.entries(files))
        if (!isBytes(data)) throw new TypeError(`varabs: the file '${name}' is neither a text nor a Uint8Array`);
    if (!isBytes(stdin)) throw new TypeError("varabs: stdin is neither a text nor a Uint8Array");
    if (progress !== null && typeof progress !== "function") throw new TypeError("varabs: progress is no function");
}

async function run(args, { files = {}, stdin = "", progress = null, signal = null } = {}) {
    check(args, { files, stdin, progress });
    if (signal?.aborted) throw signal.reason;
    const worker = new Worker(path.join(__dirname, "worker.js"), {
        workerData: { args: [...args], files, stdin, hasProgress: progress !== null },
    });
    let onAbort = null;
    try {
        return await new Promise((resolve, reject) => {
            onAbort = () => reject(signal.reason);
            signal?.addEventListener("abort", onAbort);
            worker.on("message", ({ line, done }) => {
                if (done) resolve(done);
                else progress(line);
            });
            worker.on("error", reject);
            worker.on("exit", (code) => reject(new Error(`varabs: the worker has ended with status ${code}`)));
        });
    } finally {
        signal?.removeEventListener("abort", onAbort);
        worker.removeAllListeners("exit");
        await worker.terminate();
    }
}

module.exports = { run, version };
