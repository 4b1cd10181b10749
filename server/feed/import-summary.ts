import { installedCommand } from '../lib/installed-command.ts';
import type { PlaceCount } from './feed-findings.ts';
import type { RefusalFile, RefusalGroup } from './refusal-file.ts';
import type { ImportOutcome } from './running-import.ts';

const MAX_GROUPS = 20;
const MAX_PLACES = 10;

/** The lines printed after an import or a check. */
export function importSummary(
  { kind, counts, difference, reasons, unlisted, profile, took }: ImportOutcome,
  provider: string,
  report: RefusalFile,
): string[] {
  const { packages, added, changed, repriced, removed, unchanged, seenAgain } = difference;
  const refused = counts.refused === 0 ? '' : `, ${counts.refused} refused`;
  const leftOut = counts.leftOut === 0 ? '' : `, ${counts.leftOut} not on sale`;
  const twice = counts.duplicates === 0 ? '' : `, ${counts.duplicates} duplicates (the cheapest is kept)`;
  const lines = [
    `${provider}: ${counts.rows} rows${refused}${leftOut}${twice}; ${packages} packages.`,
    `${wouldBe(kind)}${added} new, ${changed} changed (${repriced} in price), ${removed} removed, ${unchanged + seenAgain} unchanged.`,
    ...refusals(report),
    ...places(kind, unlisted),
  ];
  if (kind === 'unchanged') lines.push('The store is up to date; nothing was changed.');
  if (kind === 'tried') lines.push(...profile);
  if (reasons.length > 0) lines.push(...heldBecause(kind, provider, reasons));
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  lines.push(
    `Read in ${seconds(took.reading)}, compared in ${seconds(took.comparing)}, written in ${seconds(took.writing)}.`,
  );
  return lines;
}

/** Reasons for refusals and warnings with examples, the most frequent first. */
export function refusals(report: RefusalFile): string[] {
  const groups = report.groups();
  if (groups.length === 0) return [];
  const refused = groups.filter(({ isTaken }) => !isTaken);
  const taken = groups.filter(({ isTaken }) => isTaken);
  return [
    ...groupLines('Not imported:', refused),
    ...groupLines('Imported, but please check:', taken),
    ...whereToRead(groups, report),
  ];
}

function groupLines(heading: string, groups: readonly RefusalGroup[]): string[] {
  if (groups.length === 0) return [];
  const shown = groups.slice(0, MAX_GROUPS).map((group) => {
    const { reason, count, examples } = group;
    const listed = examples
      .map(({ line, value }) => `line ${line}${value === '' ? '' : ` "${value}"`}`)
      .join(', ');
    return `  ${count} x ${subjectOf(group)} ${reason}: ${listed}`;
  });
  if (groups.length > MAX_GROUPS) shown.push(`  and ${groups.length - MAX_GROUPS} other reasons`);
  return [heading, ...shown];
}

function subjectOf({ field, column }: RefusalGroup): string {
  if (field === '') return 'The row';
  return column === undefined ? field : `${field} (column ${column})`;
}

function whereToRead(groups: readonly RefusalGroup[], { path }: RefusalFile): string[] {
  if (path === null) return [];
  const listed = groups.reduce((sum, group) => sum + group.listed, 0);
  const isWhole = groups.every((group) => group.listed === group.count);
  return [`${isWhole ? 'Full report' : `Report with the first ${listed}, and counts of the rest`}: ${path}`];
}

function places(kind: ImportOutcome['kind'], unlisted: readonly PlaceCount[]): string[] {
  if (unlisted.length === 0) return [];
  const shown = unlisted.slice(0, MAX_PLACES).map(({ place, count }) => `  ${place}: ${count} packages`);
  if (unlisted.length > MAX_PLACES) shown.push(`  and ${unlisted.length - MAX_PLACES} other places`);
  const whether = kind === 'imported' || kind === 'unchanged' ? 'Imported, but visitors' : 'Visitors';
  return [`${whether} cannot choose these places until the destination list has them:`, ...shown];
}

function heldBecause(kind: ImportOutcome['kind'], provider: string, reasons: readonly string[]): string[] {
  const because = reasons.map((reason) => `  ${reason}`);
  if (kind === 'held') {
    return [
      `Import of ${provider} held for review; nothing was changed:`,
      ...because,
      `Review with ${installedCommand('feed', `show ${provider}`)}, then accept ${provider} or discard ${provider}.`,
    ];
  }
  const outcome = kind === 'tried' ? 'would be held for review' : 'accepted, although';
  return [`Import of ${provider} ${outcome}:`, ...because];
}

function wouldBe(kind: ImportOutcome['kind']): string {
  if (kind === 'imported' || kind === 'unchanged') return '';
  return kind === 'tried' ? 'Would be: ' : 'Would have been: ';
}
