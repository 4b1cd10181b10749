import type { AlertStore } from './alert-store.ts';

/** Records an operator's act on a number, or on several at once (`number` null): who, when and why. */
export function recordAct(
  { sql, keys }: AlertStore,
  {
    number,
    act,
    who,
    why,
    now,
  }: { number: string | null; act: string; who: string; why: string; now: number },
): void {
  const key = number === null ? null : keys.hash('number', number);
  sql.run`insert into alert_audit (at, number_key, act, who, why) values (${now}, ${key}, ${act}, ${who}, ${why})`;
}
