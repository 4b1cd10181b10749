import { expect, it } from 'vitest';
import { backgroundLightness } from './colour-scheme.ts';

it.each([
  ['rgb(255, 255, 255)', 1],
  ['rgb(0, 0, 0)', 0],
  ['rgba(0, 0, 0, 0.9)', 0],
  ['color(srgb 1 1 1)', 1],
  ['oklch(0.25 0.02 240)', 0.25],
  ['oklab(0.97 0.01 -0.02)', 0.97],
  ['lab(20 1 1)', 0.2],
  ['lch(80 1 1 / 0.8)', 0.8],
])('reads the lightness of %s', (colour, lightness) => {
  expect(backgroundLightness(colour)).toBeCloseTo(lightness, 5);
});

it.each([
  'rgba(0, 0, 0, 0)',
  'rgba(255, 255, 255, 0.2)',
  'oklch(0.9 0 0 / 0.1)',
  'color(xyz 1 1 1)',
  '',
  'none',
])('returns null for %j', (colour) => {
  expect(backgroundLightness(colour)).toBeNull();
});

it('distinguishes a mid blue from a pale yellow', () => {
  expect(backgroundLightness('rgb(15, 90, 107)')).toBeLessThan(0.5);
  expect(backgroundLightness('rgb(255, 246, 200)')).toBeGreaterThan(0.5);
});
