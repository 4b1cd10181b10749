import { expect, it } from 'vitest';
import { presence } from './presence.ts';

it('tells who is alone for a second after another has asked', () => {
  let now = 0;
  const present = presence(() => now);
  expect(present.isAlone('one')).toBe(true);
  present.note('one');
  expect([present.isAlone('one'), present.isAlone('other')]).toEqual([true, false]);
  now = 600;
  present.note('other');
  present.note('other');
  expect([present.isAlone('one'), present.isAlone('other')]).toEqual([false, false]);
  now = 1_001;
  expect([present.isAlone('one'), present.isAlone('other')]).toEqual([false, true]);
  now = 1_601;
  expect(present.isAlone('one')).toBe(true);
});
