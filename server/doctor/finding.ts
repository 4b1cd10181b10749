/** One result of a check: `bad` keeps Skylark from working; `warn` should be fixed soon. */
export interface Finding {
  level: 'ok' | 'warn' | 'bad';
  summary: string;
  /** How to fix it, or null. */
  remedy: string | null;
}

export const ok = (summary: string): Finding => ({ level: 'ok', summary, remedy: null });
export const warn = (summary: string, remedy: string): Finding => ({ level: 'warn', summary, remedy });
export const bad = (summary: string, remedy: string): Finding => ({ level: 'bad', summary, remedy });

/** 1: something is bad. 3: `isStrict`, and there are warnings. */
export function exitCodeOf(findings: readonly Finding[], isStrict: boolean): 0 | 1 | 3 {
  if (findings.some(({ level }) => level === 'bad')) return 1;
  return isStrict && findings.some(({ level }) => level === 'warn') ? 3 : 0;
}
