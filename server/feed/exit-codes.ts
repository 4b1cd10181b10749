/** The exit codes of `feed`. */
export const EXIT = { done: 0, refused: 1, usage: 2, held: 3, busy: 4 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
