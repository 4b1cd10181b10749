import type { AlertStore } from '../tables/alert-store.ts';
import { raiseNotice } from '../tables/notices.ts';
import { retryPause } from './retry-pauses.ts';

/** While one message tests a held template, the template's other messages wait this long. */
const PROBE_MS = 60_000;

const HELD = 'the template is held';

export interface TemplateHold {
  template: string;
  until: number;
  reason: string;
  since: number;
}

export function templateHolds({ sql }: AlertStore): TemplateHold[] {
  return sql.all`select template, until, reason, since from alert_template_hold
    order by template` as unknown as TemplateHold[];
}

/** Holds a template: its messages wait, and one of them is tried after an increasing delay. */
export function holdTemplate(store: AlertStore, template: string, reason: string, now: number): number {
  const held = store.sql.get`select openings from alert_template_hold where template = ${template}`;
  const openings = Number(held?.openings ?? 0) + 1;
  const until = now + retryPause('template', openings);
  store.sql.run`insert into alert_template_hold (template, until, openings, reason, since)
    values (${template}, ${until}, ${openings}, ${reason}, ${now})
    on conflict (template) do update set until = excluded.until, openings = excluded.openings, reason = excluded.reason`;
  const text = `The provider does not accept the template '${template}': ${reason}. Its messages stay queued. Correct the template, then run \`npm run alerts -- resume ${template}\`.`;
  raiseNotice(store, 'template', text, now);
  return until;
}

/** When a template's hold ends; null if it is not held, or if it is time to try a message. */
export function heldUntil({ sql }: AlertStore, template: string, now: number): number | null {
  const until = sql.get`select until from alert_template_hold where template = ${template}`?.until;
  return typeof until === 'number' && until > now ? until : null;
}

/** Makes the other messages of a held template wait while one is tried. */
export function beginTemplateProbe({ sql }: AlertStore, template: string, now: number): void {
  sql.run`update alert_template_hold set until = ${now + PROBE_MS} where template = ${template}`;
}

/** Delays a message until its template may be tried again. */
export function waitForTemplate({ sql }: AlertStore, message: number, until: number): void {
  sql.run`update alert_message set due_at = ${until}, reason = ${HELD} where id = ${message}`;
}

/** Releases a template and its waiting messages. Returns whether it was held. */
export function releaseTemplate({ sql }: AlertStore, template: string, now: number): boolean {
  const { changes } = sql.run`delete from alert_template_hold where template = ${template}`;
  if (changes === 0) return false;
  sql.run`update alert_message set due_at = ${now}, reason = null
    where state = 'queued' and kind = ${template} and reason = ${HELD}`;
  return true;
}
