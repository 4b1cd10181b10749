import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codesInPath, hotelPath, slugOf } from './hotel-path.ts';

it('names the country and the hotel in the path', () => {
  expect(hotelPath('Cape Verde', 'Hôtel d’Été & Spa', 'AB 1')).toBe(
    '/hotel/cape-verde/hotel-dete-and-spa-AB%201',
  );
  expect(hotelPath('日本', '温泉', '9')).toBe('/hotel/hotel/hotel-9');
});

it('finds every code again, with its name', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), (name, code) => {
      const [, , , part = ''] = hotelPath('Spain', name, code.toWellFormed()).split('/');
      expect(codesInPath(decodeURIComponent(part))).toContainEqual({
        nameSlug: slugOf(name),
        code: code.toWellFormed(),
      });
    }),
  );
});
