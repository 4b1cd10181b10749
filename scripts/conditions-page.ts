import type { Condition } from '../server/conditions/condition.ts';
import { SERVER_CONDITIONS } from '../server/conditions/server-conditions.ts';
import {
  CONTENT_CONDITIONS,
  FOLDER_CONDITIONS,
  SETUP_CONDITIONS,
  STORE_FAULTS,
} from '../server/conditions/setup/setup-conditions.ts';
import { STORE_CONDITIONS } from '../server/conditions/store-conditions.ts';

const WATCHED: readonly Condition<never>[] = [...SERVER_CONDITIONS, ...STORE_CONDITIONS];
const BY_DOCTOR: readonly Condition<never>[] = [
  ...SETUP_CONDITIONS,
  ...FOLDER_CONDITIONS,
  ...STORE_FAULTS,
  ...CONTENT_CONDITIONS,
];

/** `docs/conditions.md`: a row for each condition. */
export function conditionsPage(): string {
  return `# Conditions

What Skylark reports when something is wrong, with what to do. The same texts are in \`skylark doctor\`, \`/admin\`, notices, \`/readyz\`, \`skylark feed status\` and \`skylark alerts status\`. \`node scripts/write-conditions.ts\` writes this page.

\`bad\`: Skylark, or a part of it, does not work. \`warn\`: fix it soon. "…" stands for a name or a value.

## While the server runs

${table(
  ['condition', 'level', 'notice after', '`/readyz`', 'metrics', 'remedy'],
  WATCHED.map((one) => [one.sentence, one.level, graceOf(one), one.readyz ?? '', metricsOf(one), one.remedy]),
)}

## Only in the doctor

${table(
  ['condition', 'level', 'remedy'],
  BY_DOCTOR.map(({ sentence, level, remedy }) => [sentence, level, remedy]),
)}
`;
}

/** A table as the formatter leaves it. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [heads, ...rows.map((row) => row.map(shown))];
  const widths = heads.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const [head = '', ...lines] = cells.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  );
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...lines].join('\n');
}

function shown(text: string): string {
  const named = text.replaceAll('$', '…').replaceAll('<', '\\<');
  return named.replace(/\{(.*?)\}/g, (_, words: string) => `\`skylark ${words.replace(':', '-')}\``);
}

function graceOf({ graceMs }: Condition<never>): string {
  if (graceMs === undefined) return '';
  return graceMs === 0 ? 'immediately' : `${graceMs / 60_000} min`;
}

function metricsOf({ gauges = [] }: Condition<never>): string {
  return gauges.map(({ name }) => `\`skylark_${name}\``).join(', ');
}
