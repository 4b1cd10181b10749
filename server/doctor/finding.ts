/** What the doctor found: `bad` keeps Skylark from working, `warn` is better mended soon. */
export interface Finding {
  level: 'ok' | 'warn' | 'bad';
  /** What is so, in a sentence. */
  what: string;
  /** What to do about it; null where there is nothing to do. */
  todo: string | null;
}

export const ok = (what: string): Finding => ({ level: 'ok', what, todo: null });
export const warn = (what: string, todo: string): Finding => ({ level: 'warn', what, todo });
export const bad = (what: string, todo: string): Finding => ({ level: 'bad', what, todo });
