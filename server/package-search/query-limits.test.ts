import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { queryLimitErrors } from './query-limits.ts';

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
