import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { codeOfStatus, ERRORS } from './error-codes.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/contracts/errors.md'), 'utf8');

it('has exactly the codes and statuses that docs/contracts/errors.md lists', () => {
  const listed = [...PAGE.matchAll(/^- `([A-Z_]+)` \((\d+)\): /gm)].map(([, code, status]) => [
    code,
    Number(status),
  ]);
  expect(listed).toEqual(Object.entries(ERRORS).map(([code, { status }]) => [code, status]));
});

it('has a code for any status of an error', () => {
  expect([400, 404, 418, 429, 500, 503, 504].map(codeOfStatus)).toEqual([
    'BAD_REQUEST',
    'NOT_FOUND',
    'BAD_REQUEST',
    'RATE_LIMITED',
    'INTERNAL',
    'UNAVAILABLE',
    'INTERNAL',
  ]);
});
