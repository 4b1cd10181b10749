import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { conditionsPage } from './conditions-page.ts';

it('lists every condition for operators as the code has them', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/conditions.md'), 'utf8');
  expect(page, 'Run node scripts/write-conditions.ts').toBe(conditionsPage());
});
