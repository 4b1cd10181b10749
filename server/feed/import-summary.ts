import { errorMessage } from '../lib/error-message.ts';
import type { RefusalFile, RefusalGroup } from './refusal-file.ts';
import type { ImportOutcome } from './run-import.ts';
import type { PlaceCount } from './unlisted-places.ts';

const MOST_GROUPS = 20;
const MOST_PLACES = 10;

/** What an import did, in lines for a person. */
export function importSummary(
  { kind, counts, difference, reasons, unlisted, took }: ImportOutcome,
  provider: string,
  report: RefusalFile,
): string[] {
  const { packages, added, changed, repriced, removed, unchanged, seenAgain, duplicates } = difference;
  const refused = counts.refused === 0 ? '' : `, ${counts.refused} refused`;
  const leftOut = counts.leftOut === 0 ? '' : `, ${counts.leftOut} not on sale`;
  const twice = duplicates === 0 ? '' : `, ${duplicates} named twice (the cheapest is kept)`;
  const lines = [
    `${provider}: ${counts.rows} rows${refused}${leftOut}${twice}; ${packages} packages.`,
    `${wouldBe(kind)}${added} new, ${changed} changed (${repriced} in price), ${removed} gone, ${unchanged + seenAgain} as they were.`,
    ...refusals(report),
    ...places(kind, unlisted),
  ];
  if (kind === 'unchanged') lines.push('Nothing was to be changed.');
  if (reasons.length > 0) lines.push(...heldBecause(kind, reasons));
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  lines.push(
    `Read in ${seconds(took.reading)}, compared in ${seconds(took.comparing)}, written in ${seconds(took.writing)}.`,
  );
  return lines;
}

/** What was refused and what should be looked at, the most frequent first, with examples. */
export function refusals(report: RefusalFile): string[] {
  const groups = report.groups();
  if (groups.length === 0) return [];
  return [
    ...groupLines(
      'Not taken:',
      groups.filter(({ isTaken }) => !isTaken),
    ),
    ...groupLines(
      'Taken, and to be looked at:',
      groups.filter(({ isTaken }) => isTaken),
    ),
    whereToRead(groups, report.path),
  ];
}

function groupLines(heading: string, groups: readonly RefusalGroup[]): string[] {
  if (groups.length === 0) return [];
  const shown = groups.slice(0, MOST_GROUPS).map(({ field, reason, count, examples }) => {
    const told = examples
      .map(({ line, value }) => `line ${line}${value === '' ? '' : ` "${value}"`}`)
      .join(', ');
    return `  ${count} x ${field === '' ? 'The row' : field} ${reason}: ${told}`;
  });
  if (groups.length > MOST_GROUPS) shown.push(`  and ${groups.length - MOST_GROUPS} other troubles`);
  return [heading, ...shown];
}

function whereToRead(groups: readonly RefusalGroup[], path: string): string {
  const listed = groups.reduce((sum, group) => sum + group.listed, 0);
  const isWhole = groups.every((group) => group.listed === group.count);
  return isWhole
    ? `Every one, with its line: ${path}`
    : `The first ${listed}, with their lines, and how many more of each: ${path}`;
}

function places(kind: ImportOutcome['kind'], unlisted: readonly PlaceCount[]): string[] {
  if (unlisted.length === 0) return [];
  const shown = unlisted.slice(0, MOST_PLACES).map(({ place, count }) => `  ${place}: ${count} packages`);
  if (unlisted.length > MOST_PLACES) shown.push(`  and ${unlisted.length - MOST_PLACES} other places`);
  const whether = kind === 'imported' || kind === 'unchanged' ? 'Taken, but visitors' : 'Visitors';
  return [`${whether} cannot choose these places until the destination list has them:`, ...shown];
}

function heldBecause(kind: ImportOutcome['kind'], reasons: readonly string[]): string[] {
  const because = reasons.map((reason) => `  ${reason}`);
  if (kind === 'held') {
    return [
      'Held back, nothing was changed:',
      ...because,
      'If that is right, import it again with --accept.',
    ];
  }
  return [kind === 'tried' ? 'It would be held back:' : 'Accepted, although', ...because];
}

function wouldBe(kind: ImportOutcome['kind']): string {
  if (kind === 'imported' || kind === 'unchanged') return '';
  return kind === 'tried' ? 'It would be: ' : 'It would have been: ';
}

/** After a failure to remove records that no package uses any more. */
export function uncleared(error: unknown): string {
  return `Unused hotels, flights and places could not be removed; the next import removes them: ${errorMessage(error)}.`;
}
