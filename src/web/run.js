// RUN - one command of varabs on files in memory, in a worker of a browser or in node.
//
//     const { makeRunner } = require("./run.js"), makeVarabs = require("./varabs.js");
//     const run = makeRunner(makeVarabs, await WebAssembly.compile(fs.readFileSync("varabs.wasm")));
//     const done = await run(["model.xml", "--remove", "x", "--may"], { files: { "model.xml": text } });
//     // done.status 0, done.stdout, done.stderr, done.files["model.may.xml"]
//
// Each command has an instance of the program of its own, so that nothing is left of one in the next. It blocks:
// ending the worker is how to cancel it.
"use strict";

const PROGRESS = /^varabs: (.*, \d+(?: of at most \d+)? s)$/;
const HOME = "/home/web_user"; // where relative names begin
const OUT_OF_BOUNDS = 5;       // the status where a limit was reached

/* Bytes one by one, as a stream gives them. */
class Bytes {
    constructor() {
        this.bytes = new Uint8Array(1024);
        this.size = 0;
    }
    add(byte) {
        if (this.size === this.bytes.length) {
            const more = new Uint8Array(2 * this.size);
            more.set(this.bytes);
            this.bytes = more;
        }
        this.bytes[this.size++] = byte;
    }
    take() {
        const taken = this.bytes.slice(0, this.size);
        this.size = 0;
        return taken;
    }
}

function makeParents(FS, path) {
    const parts = path.split("/").slice(0, -1);
    for (let i = 1; i <= parts.length; i++) {
        const folder = parts.slice(0, i).join("/");
        if (folder && !FS.analyzePath(folder).exists) FS.mkdir(folder);
    }
}
function listFiles(FS, folder, prefix, found) {
    for (const name of FS.readdir(folder)) {
        if (name === "." || name === "..") continue;
        const path = `${folder}/${name}`;
        if (FS.isDir(FS.stat(path).mode)) listFiles(FS, path, `${prefix}${name}/`, found);
        else found.set(prefix + name, FS.readFile(path));
    }
    return found;
}
const isSame = (left, right) => left.length === right.length && left.every((byte, i) => byte === right[i]);

// What runs commands. makeVarabs: what varabs.js exports; module: a WebAssembly.Module of varabs.wasm.
// run(words, {files, stdin, progress}): files by name, each a text or a Uint8Array, stdin likewise, progress is called
// with a line about once a second while the program is at long work. Is kept with {status, stdout, stderr, files}: two
// texts, and bytes by name of the files that the command wrote. Never throws for what the program does: where memory or
// stack end, the status is 5.
function makeRunner(makeVarabs, module) {
    const encode = (data) => typeof data === "string" ? new TextEncoder().encode(data) : data;
    return async function run(words, { files = {}, stdin = "", progress = null } = {}) {
        const out = new Bytes(), err = new Bytes(), line = new Bytes(), input = encode(stdin), before = new Map();
        let at = 0, FS = null;
        function sayError(byte) {
            if (!progress) return err.add(byte);
            line.add(byte);
            if (byte !== 10) return undefined;
            const whole = line.take(), match = PROGRESS.exec(new TextDecoder().decode(whole).trimEnd());
            if (match) return progress(match[1]);
            return whole.forEach((one) => err.add(one));
        }
        const take = (to) => (byte) => { if (byte !== null) to(byte < 0 ? byte + 256 : byte); };
        let status;
        try {
            const instance = await makeVarabs({
                instantiateWasm(imports, use) {
                    WebAssembly.instantiate(module, imports).then(use);
                    return {};
                },
                preRun: [(own) => {
                    FS = own.FS;
                    FS.init(() => at < input.length ? input[at++] : null, take((byte) => out.add(byte)), take(sayError));
                    for (const [name, data] of Object.entries(files)) {
                        const path = name.startsWith("/") ? name : `${HOME}/${name}`;
                        makeParents(FS, path);
                        FS.writeFile(path, encode(data));
                    }
                    FS.chdir(HOME);
                    listFiles(FS, HOME, "", before);
                }],
                thisProgram: "varabs",
                onAbort: () => {},
                quit: (code, toThrow) => { throw toThrow; },
            });
            status = instance.callMain(progress ? [...words, "--progress=always"] : words);
        } catch (error) {
            if (!FS) throw error; // it was not started
            // A trap: the stack or the memory of the browser have ended.
            const what = error instanceof RangeError || /stack/.test(error.message) ? "stack" : "memory";
            status = OUT_OF_BOUNDS;
            for (const byte of encode(`varabs: error: out of ${what} (${error.message})\n`)) err.add(byte);
        }
        line.take().forEach((byte) => err.add(byte));
        const made = {};
        for (const [name, data] of listFiles(FS, HOME, "", new Map()))
            if (!before.has(name) || !isSame(before.get(name), data)) made[name] = data;
        return { status, stdout: new TextDecoder().decode(out.take()), stderr: new TextDecoder().decode(err.take()), files: made };
    };
}

if (typeof exports === "object") exports.makeRunner = makeRunner;
