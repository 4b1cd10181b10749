import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { BrandColoursSchema } from './brand-colours.ts';
import { brandCssProperties, readableTextColour } from './brand-properties.ts';
import { contrast } from './contrast.ts';

describe('A brand’s colours', () => {
  it('may be given once for both themes, or once for each', () => {
    const { action, sky } = v.parse(BrandColoursSchema, {
      action: '#AA0000',
      sky: { light: '#ddeeff', dark: '#112233' },
    });
    expect(action).toEqual({ light: '#AA0000', dark: '#AA0000' });
    expect(sky).toEqual({ light: '#ddeeff', dark: '#112233' });
  });

  it.each([
    'red',
    '#fff',
    '#12345',
    '#1234567',
    ' #123456',
    '#12345g',
    'rgb(0,0,0)',
    '#123456;}body{display:none',
    'url(https://elsewhere.example)',
    '',
    7,
    null,
    { light: '#123456' },
    { light: '#123456', dark: '#123456', print: '#123456' },
    ['#123456'],
  ])('are rejected if one is %j', (value) => {
    expect(v.safeParse(BrandColoursSchema, { action: value }).success).toBe(false);
  });

  it('are rejected under a name that the page does not use', () => {
    expect(v.safeParse(BrandColoursSchema, { ink: '#123456' }).success).toBe(false);
  });

  it('set only the properties of the given colours', () => {
    expect(brandCssProperties({})).toEqual([]);
    const names = brandCssProperties({ sun: { light: '#aa0000', dark: '#ff8888' } }).map(([name]) => name);
    expect(names).toEqual(['--sun', '--sun-wash']);
    const own = brandCssProperties({
      action: { light: '#ffff00', dark: '#000088' },
      onAction: { light: '#111111', dark: '#eeeeee' },
    });
    expect(new Map(own).get('--on-action')).toBe('light-dark(#111111, #eeeeee)');
  });

  it('get a readable text colour if none is given', () => {
    const channel = fc.integer({ min: 0, max: 255 }).map((value) => value.toString(16).padStart(2, '0'));
    const any = fc.tuple(channel, channel, channel).map((channels) => `#${channels.join('')}`);
    fc.assert(
      fc.property(any, any, (light, dark) => {
        const words = readableTextColour({ light, dark });
        expect(contrast(words.light, light)).toBeGreaterThan(4);
        expect(contrast(words.dark, dark)).toBeGreaterThan(4);
      }),
    );
  });
});
