#!/usr/bin/env node
// VARABS - the program, with the files of the machine.
"use strict";

const fs = require("fs");
const path = require("path");
const makeVarabs = require("./module-node.js");

const OUT_OF_BOUNDS = 5; // the status where a limit was reached

async function main() {
    const module = await WebAssembly.compile(fs.readFileSync(path.join(__dirname, "varabs.wasm")));
    const instance = await makeVarabs({
        instantiateWasm(imports, use) {
            WebAssembly.instantiate(module, imports).then(use);
            return {};
        },
        thisProgram: "varabs",
        quit: (code, toThrow) => { throw toThrow; },
        onAbort: () => {},
    });
    try {
        process.exitCode = instance.callMain(process.argv.slice(2));
    } catch (error) {
        const what = error instanceof RangeError || /stack/.test(error.message) ? "stack" : "memory";
        process.stderr.write(`varabs: error: out of ${what} (${error.message})\n`);
        process.exitCode = OUT_OF_BOUNDS;
    }
}
main();
