import { expect, it } from 'vitest';
import { OFFER, OFFER_COLUMNS } from './offer-columns.ts';

it('names every column at its index', () => {
  const names = OFFER_COLUMNS.map((column) =>
    column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  );
  expect(OFFER).toEqual(Object.fromEntries(names.map((name, index) => [name, index])));
});
