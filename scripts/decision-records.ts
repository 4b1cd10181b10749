import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const DECISIONS = join(import.meta.dirname, '../docs/decisions');

/** A decision record in `docs/decisions`, with its file name. */
export interface RecordFile {
  name: string;
  text: string;
}

export interface DecisionRecord {
  file: string;
  number: string;
  title: string;
}

export type ParsedRecord =
  | { kind: 'record'; record: DecisionRecord }
  | { kind: 'invalid'; file: string; reason: string };

const SECTIONS = ['Context', 'Decision', 'Consequences'];
const MAX_WORDS = 250;

export function readDecisionFiles(): RecordFile[] {
  return readdirSync(DECISIONS)
    .filter((name) => name !== 'README.md')
    .toSorted()
    .map((name) => ({ name, text: readFileSync(join(DECISIONS, name), 'utf8') }));
}

/** Parses the head of a record, which must have the three sections, in order. */
export function parseDecisionRecord({ name, text }: RecordFile): ParsedRecord {
  const invalid = (reason: string): ParsedRecord => ({ kind: 'invalid', file: name, reason });
  const [, number] = /^(\d{4})-[a-z0-9-]+\.md$/.exec(name) ?? [];
  if (number === undefined)
    return invalid('the file name must be a number of four digits and a name in kebab-case');
  const [, titleNumber, title] = /^# (\d{4})\. (.+)$/m.exec(text) ?? [];
  if (title === undefined || !text.startsWith('# '))
    return invalid(`the first line must be "# ${number}. Title"`);
  if (titleNumber !== number) return invalid(`the title has the number ${titleNumber}`);
  if (!/^- Status: Accepted$/m.test(text)) return invalid('"- Status:" must be "Accepted"');
  if (!/^- Date: \d{4}-\d{2}-\d{2}$/m.test(text)) return invalid('"- Date:" must be a day (YYYY-MM-DD)');
  const words = text.trim().split(/\s+/).length;
  if (words > MAX_WORDS) return invalid(`${words} words are more than ${MAX_WORDS}`);
  const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, section]) => section);
  if (sections.join() !== SECTIONS.join()) return invalid(`the sections must be ${SECTIONS.join(', ')}`);
  return { kind: 'record', record: { file: name, number, title } };
}

/** Problems of the records: invalid files, and numbers that are used twice. Removed records leave gaps. */
export function decisionProblems(files: readonly RecordFile[]): string[] {
  const parsed = files.map(parseDecisionRecord);
  const problems = parsed.flatMap((one) => (one.kind === 'invalid' ? [`${one.file}: ${one.reason}`] : []));
  for (const [number, same] of Map.groupBy(files, ({ name }) => name.slice(0, 4)))
    if (same.length > 1) problems.push(`${number}: ${same.length} records have this number`);
  return problems;
}

/** The text of the index page. Records are in order of their numbers. */
export function decisionIndex(files: readonly RecordFile[]): string {
  const records = files
    .map(parseDecisionRecord)
    .flatMap((parsed) => (parsed.kind === 'record' ? [parsed.record] : []))
    .toSorted((one, other) => one.number.localeCompare(other.number));
  const lines = records.map(({ file, number, title }) => `- [${number}](${file}) ${title}`);
  return `# Decisions

Each record has a number, a title that states the decision, a status, a date, and the sections Context, Decision and Consequences, in at most ${MAX_WORDS} words. To change a decision, write a new record with the next number, and remove the old one. A reason that one file explains is a comment there. \`node scripts/write-decision-index.ts\` writes this page.

${lines.join('\n')}
`;
}
