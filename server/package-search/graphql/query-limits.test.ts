import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { queryLimitErrors, unfoldingErrors } from './query-limits.ts';

const messages = (query: string) => queryLimitErrors(parse(query)).map(({ message }) => message);

const aliases = (count: number) => Array.from({ length: count }, (_, index) => `a${index}: b`).join(' ');

describe('queryLimitErrors', () => {
  it.each([
    ['four levels', '{ a { b { c { d } } } }'],
    ['four levels through fragments', '{ a { ...f } } fragment f on T { b { ... on U { c { d } } } }'],
    ['ten aliases', `{ ${aliases(10)} }`],
  ])('accepts %s', (_name, query) => {
    expect(messages(query)).toEqual([]);
  });

  it.each([
    ['five levels', '{ a { b { c { d { e } } } } }', 'levels'],
    [
      'five levels through fragments',
      '{ a { ...f } } fragment f on T { b { ...g } } fragment g on T { c { d { e } } }',
      'levels',
    ],
    ['eleven aliases', `{ ${aliases(11)} }`, 'aliases'],
    ['aliases hidden in a fragment', `{ ...f } fragment f on T { ${aliases(11)} }`, 'aliases'],
    ['an alias that no answer can have', '{ ...f } fragment f on T { __proto__: b }', '__proto__'],
    ['two operations', 'query a { b } query c { d }', 'one operation'],
    ['no operation', 'fragment f on T { a }', 'one operation'],
  ])('rejects %s', (_name, query, word) => {
    expect(messages(query)).toEqual([expect.stringContaining(word)]);
  });

  it('measures nested fragments in linear time', () => {
    const many = Array.from(
      { length: 60 },
      (_, index) => `fragment f${index} on T { ...f${index + 1} ...f${index + 1} }`,
    );
    expect(messages(`{ ...f0 } ${many.join(' ')} fragment f60 on T { a }`)).toEqual([]);
  });
});

describe('unfoldingErrors', () => {
  const errors = (query: string) => unfoldingErrors(parse(query)).map(({ message }) => message);
  /** A chain of fragments, each used `uses` times by the one before. */
  const chain = (length: number, uses: number) => {
    const used = (nth: number) => Array.from({ length: uses }, () => `...f${nth} `).join('');
    const fragments = Array.from({ length }, (_, nth) => `fragment f${nth} on T { ${used(nth + 1)} }`);
    return `${fragments.join(' ')} fragment f${length} on T { a }`;
  };

  it.each([
    ['a query without fragments', `{ ${aliases(60)} }`],
    ['fragments that are used once', `{ ...f0 } ${chain(60, 1)}`],
    [
      'one fragment in ten aliases',
      `{ ${aliases(10).replaceAll(': b', ': b { ...f }')} } fragment f on T { ${aliases(40)} }`,
    ],
  ])('accepts %s', (_name, query) => {
    expect(errors(query)).toEqual([]);
  });

  it.each([
    ['a chain of sixty, each using the next one twice', `{ a { ...f0 } } ${chain(60, 2)}`],
    ['a chain of ten, each using the next one four times', `{ a { b { ...f0 } } } ${chain(10, 4)}`],
    ['a chain that no operation uses', `{ a } ${chain(60, 2)}`],
  ])('rejects %s', (_name, query) => {
    expect(errors(query)).toEqual([expect.stringContaining('1,000 fields')]);
  });

  it.each([
    ['a fragment that uses itself', '{ ...f } fragment f on T { a { ...f } }'],
    ['fragments that use each other', '{ a } fragment f on T { a { ...g } } fragment g on T { b ...f }'],
  ])('rejects %s', (_name, query) => {
    expect(errors(query)).toEqual(['A fragment cannot use itself.']);
  });
});
