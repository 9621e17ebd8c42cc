/** What became of a command. */
export interface Result {
    /** 0 done, 1 a query is violated, 2 wrong usage, 3 not valid, 4 not supported, 5 a limit was reached. */
    status: number;
    stdout: string;
    stderr: string;
    /** What the command has written, by name. */
    files: Record<string, Uint8Array>;
}

export interface Options {
    /** Files that the command may read, by name. */
    files?: Record<string, string | Uint8Array>;
    /** What `-` reads. */
    stdin?: string | Uint8Array;
    /** Called with a line about once a second while the command is at long work. */
    progress?: (line: string) => void;
    /** Ends the command; the promise is rejected with the reason of the signal. */
    signal?: AbortSignal;
}

/** Runs a command of varabs, such as ["check", "model.xml"], on files in memory, in a worker thread. */
export function run(args: readonly string[], options?: Options): Promise<Result>;

/** That of varabs, such as "0.2.0". */
export const version: string;
