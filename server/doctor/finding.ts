/** A check's result. `bad` means that Skylark cannot work; `warn` that something should be fixed soon. */
export interface Finding {
  level: 'ok' | 'warn' | 'bad';
  summary: string;
  /** How to fix it, or null. */
  remedy: string | null;
}

export const ok = (summary: string): Finding => ({ level: 'ok', summary, remedy: null });
export const warn = (summary: string, remedy: string): Finding => ({ level: 'warn', summary, remedy });
export const bad = (summary: string, remedy: string): Finding => ({ level: 'bad', summary, remedy });

/** 1 if something is bad; 3 if `isStrict` and there are warnings; else 0. */
export function exitCodeOf(findings: readonly Finding[], isStrict: boolean): 0 | 1 | 3 {
  if (findings.some(({ level }) => level === 'bad')) return 1;
  return isStrict && findings.some(({ level }) => level === 'warn') ? 3 : 0;
}
