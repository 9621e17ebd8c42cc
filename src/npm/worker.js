// WORKER - one command, for index.js.
"use strict";

const fs = require("fs");
const path = require("path");
const { parentPort, workerData } = require("worker_threads");
const { makeRunner } = require("./run.js");
const makeVarabs = require("./module.js");

async function main() {
    const { args, files, stdin, hasProgress } = workerData;
    const module = await WebAssembly.compile(fs.readFileSync(path.join(__dirname, "varabs.wasm")));
    const progress = hasProgress ? (line) => parentPort.postMessage({ line }) : null;
    parentPort.postMessage({ done: await makeRunner(makeVarabs, module)(args, { files, stdin, progress }) });
}
main();
