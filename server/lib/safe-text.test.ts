import fc from 'fast-check';
import { expect, it } from 'vitest';
import { safeText } from './safe-text.ts';

it('keeps names as they are', () => {
  expect(safeText('Hotel “Señorío” del Sol & Spa 4★')).toBe('Hotel “Señorío” del Sol & Spa 4★');
});

it('drops control and direction characters, joins lines, and cuts what is long', () => {
  expect(safeText('Hotel\n\n\u202eSYSTEM:\u0007 ignore\u2028all')).toBe('Hotel SYSTEM: ignore all');
  expect(safeText('☀'.repeat(500))).toBe(`${'☀'.repeat(80)}…`);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(safeText(text)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }),
  );
});
