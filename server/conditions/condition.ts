import { installedCommand } from '../lib/installed-command.ts';
import type { GaugeOf } from './gauge.ts';

/** `bad`: Skylark, or a part of it, does not work. `warn`: fix it soon. */
export type Level = 'warn' | 'bad';

/**
 * Something that can be wrong: how it is read, and everything that operators learn about it. In `sentence` and
 * `remedy`, `$` is the fault's subject, and `{feed status}` a command as the operator types it.
 */
export interface Condition<View, Facts = never> {
  /** Such as 'feed late'. */
  id: string;
  level: Level;
  /** Stays the same while the fault lasts. Without a full stop. */
  sentence: string;
  remedy: string;
  /** How long it lasts before operators are notified. Omitted: they are not. */
  graceMs?: number;
  /** Where `/readyz` shows it. Omitted: nowhere. */
  readyz?: 'missing' | 'warnings';
  gauges?: readonly GaugeOf<Facts>[];
  read(view: View): Results | Promise<Results>;
}

/** What is wrong now. */
export interface Fault extends Partial<Pick<Condition<never>, 'level' | 'sentence' | 'remedy' | 'graceMs'>> {
  /** What it is about, such as a provider's code. With the condition's id, it identifies the fault. */
  subject?: string;
  /** The reason or the figures. */
  detail?: string;
}

/** Faults; or, as text, what the doctor says because something is right. */
export type Results = false | Fault | string | readonly (Fault | string)[];

/** A fault of a condition, or what is right. */
export interface Finding extends Pick<Condition<never>, 'readyz'> {
  key: string;
  level: Level | 'ok';
  title: string;
  /** What is wrong, in a sentence. */
  summary: string;
  /** How to fix it; null: nothing is wrong. */
  remedy: string | null;
  /** What follows the title in notices: detail and remedy. */
  text: string;
  /** Null: operators are not notified. */
  graceMs: number | null;
}

/** Reads conditions in their order. */
export async function findingsOf<View>(
  conditions: readonly Condition<NoInfer<View>>[],
  view: View,
): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const condition of conditions) {
    const results = await condition.read(view);
    for (const result of [results || []].flat()) found.push(findingOf(condition, result));
  }
  return found;
}

/** As `findingsOf`, but only what is wrong. */
export async function problemsOf<View>(
  conditions: readonly Condition<NoInfer<View>>[],
  view: View,
): Promise<Finding[]> {
  return (await findingsOf(conditions, view)).filter(({ level }) => level !== 'ok');
}

function findingOf<View>(condition: Condition<View>, result: Fault | string): Finding {
  const { id, readyz } = condition;
  if (typeof result === 'string') {
    return { key: id, level: 'ok', title: result, summary: result, remedy: null, text: '', graceMs: null };
  }
  const { subject, detail, level, sentence, remedy: template, graceMs = null } = { ...condition, ...result };
  const fill = (text: string) => text.replaceAll('$', () => subject ?? '').replace(/\.$/, '');
  const title = fill(sentence);
  const remedy = `${fill(template).replace(/\{(\S+) ?(.*?)\}/g, (_, name, words) => command(name, words))}.`;
  const reason = detail === undefined ? null : detail.replace(/\.$/, '');
  const capital = reason && `${reason.charAt(0).toUpperCase()}${reason.slice(1)}. `;
  return {
    key: subject === undefined ? id : `${id} ${subject}`,
    level,
    title,
    summary: `${title}${reason === null ? '' : `: ${reason}`}.`,
    remedy,
    text: `${capital ?? ''}${remedy}`,
    graceMs,
    ...(readyz && { readyz }),
  };
}

export function command(name: string, words?: string): string {
  return `\`${installedCommand(name, words)}\``;
}

export function instant(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
