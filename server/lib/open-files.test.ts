import { expect, it } from 'vitest';
import { connectionsWithFiles } from './open-files.ts';

const LIMITS = (soft: string) =>
  [
    'Limit                     Soft Limit           Hard Limit           Units     ',
    'Max processes             62743                62743                processes ',
    `Max open files            ${soft.padEnd(21)}4096                 files     `,
    'Max locked memory         8388608              8388608              bytes     ',
  ].join('\n');

it.each([
  ['1048576', 1_048_448],
  ['1024', 896],
  ['256', 128],
  ['64', 32],
  ['unlimited', Number.POSITIVE_INFINITY],
])('with %s files, so many are for connections: %d', (files, connections) => {
  expect(connectionsWithFiles(LIMITS(files))).toBe(connections);
});

it('knows no limit where the system does not tell', () => {
  expect(connectionsWithFiles('')).toBe(Number.POSITIVE_INFINITY);
});

it.runIf(process.platform === 'linux')('reads the limits of this process', () => {
  expect(connectionsWithFiles()).toBeGreaterThan(0);
});
