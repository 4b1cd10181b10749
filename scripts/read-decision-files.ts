import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordFile } from './decision-records.ts';

export const DECISIONS = join(import.meta.dirname, '../docs/decisions');

export function readDecisionFiles(): RecordFile[] {
  return readdirSync(DECISIONS)
    .filter((name) => name !== 'README.md')
    .toSorted()
    .map((name) => ({ name, text: readFileSync(join(DECISIONS, name), 'utf8') }));
}
