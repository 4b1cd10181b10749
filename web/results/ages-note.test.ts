import { expect, it } from 'vitest';
import { agesNote } from './ages-note.ts';

it.each([
  [{ adults: 2, children: 0, infants: 0 }, null],
  [{ adults: 1, children: 0, infants: 0 }, null],
])('says nothing about ages for %j', (party, expected) => {
  expect(agesNote(party)).toBe(expected);
});

it('explains the ages of children and infants if the party has any', () => {
  expect(agesNote({ adults: 2, children: 1, infants: 0 })).toMatch(
    /^Each provider has its own age limit.*book\.$/,
  );
  expect(agesNote({ adults: 2, children: 0, infants: 1 })).toMatch(/^Infants are under 2/);
  expect(agesNote({ adults: 2, children: 1, infants: 1 })).toMatch(/Each provider.*Infants are under 2/);
});
