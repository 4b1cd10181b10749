import type { AlertStore } from './alert-store.ts';

/** Records what an operator did to a contact, or to several (`key` is null): who, when and why. */
export function recordAct(
  { sql }: AlertStore,
  { key, act, who, why, now }: { key: string | null; act: string; who: string; why: string; now: number },
): void {
  sql.run`insert into alert_audit (at, contact_key, act, who, why) values (${now}, ${key}, ${act}, ${who}, ${why})`;
}
