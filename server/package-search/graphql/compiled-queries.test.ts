import fc from 'fast-check';
import { execute, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { compiledQueries } from './compiled-queries.ts';
import { type SchemaContext, schema } from './schema.ts';

const ITEMS = ['a', 'b'].map((ItemKey) => ({ ItemKey, TotalPrice: 5, Hotel: '{}', FreeChild: true }));
const ANSWER = { items: ITEMS, count: 3, errors: null, nextToken: null, hasMoreData: true };

const CONTEXT: SchemaContext = {
  fields: new Map(),
  resolve: async ({ root }) => (root === 'searchPackages' ? ANSWER : null),
};

const { compile } = compiledQueries(schema, { introspection: false, collapse: 'hotel' });

async function answerTo(text: string, variables = {}, operationName: string | null = null): Promise<unknown> {
  const compiled = compile(text, operationName);
  if (compiled.kind === 'refused') return { errors: compiled.errors.map(({ message }) => message) };
  return JSON.parse(JSON.stringify(await compiled.run(CONTEXT, compiled.complete(variables))));
}

const FILTERS = `{brand: "SKY", startDate: "2027-05-03", endDate: "2027-05-10", departureAirports: ["LGW"]}`;
const search = (selections: string) => `searchPackages(filters: ${FILTERS}) { ${selections} }`;

describe('A query with @skip or @include', () => {
  const COUNT = 'fragment A on SearchPackagesAnswer { count }';
  const KEYS = [{ ItemKey: 'a' }, { ItemKey: 'b' }];

  it.each([
    ['of a fragment that is used again', '...A @include(if: false) ...A', COUNT, { count: 3 }],
    ['of a fragment that was used before', '...A ...A @skip(if: true)', COUNT, { count: 3 }],
    ['of a fragment by a variable', '...A @include(if: $no) ...A', COUNT, { count: 3 }],
    [
      'of a field with a fragment inside, also selected elsewhere',
      'items @include(if: false) { ... { FreeChild } } items { ItemKey }',
      '',
      { items: KEYS },
    ],
    [
      'of a fragment around such a field',
      '... @include(if: $no) { items { ...F } } items { ItemKey }',
      'fragment F on PackageSearchItem { FreeChild }',
      { items: KEYS },
    ],
  ])(
    'answers the fields that it selects: a condition %s',
    async (_where, selections, fragments, expected) => {
      const text = `query ($no: Boolean = false) { a: __typename @include(if: $no) ${search(selections)} } ${fragments}`;
      expect(await answerTo(text)).toEqual({ data: { searchPackages: expected } });
    },
  );

  it('is refused under the name of another operation', async () => {
    const text = `query one { ${search('count @skip(if: true) hasMoreData')} }`;
    expect(await answerTo(text, {}, 'two')).toMatchObject({ errors: [{ message: /two/ }] });
    expect(await answerTo(text, {}, 'one')).toEqual({ data: { searchPackages: { hasMoreData: true } } });
  });
});

/** Selections of a response or item with fragments up to this depth. `?` is a condition or nothing. */
function selectionsOf(
  type: 'SearchPackagesAnswer' | 'PackageSearchItem',
  levels: number,
): fc.Arbitrary<string> {
  const names =
    type === 'SearchPackagesAnswer' ? ['count', 'nextToken', 'hasMoreData'] : Object.keys(ITEMS[0] ?? {});
  const leaf = fc
    .tuple(
      fc.constantFrom('', '', '', 'a: ', 'then: ', 'constructor: '),
      fc.constantFrom(...names, '__typename'),
    )
    .map(([alias, name]) => `${alias}${name}?`);
  const one: fc.Arbitrary<string>[] = [leaf];
  if (type === 'SearchPackagesAnswer')
    one.push(selectionsOf('PackageSearchItem', levels).map((inside) => `items? { ${inside} }`));
  if (levels > 0) {
    const inside = selectionsOf(type, levels - 1);
    one.push(inside.map((selections) => `...? { ${selections} }`));
    one.push(inside.map((selections) => `... on ${type}? { ${selections} }`));
  }
  one.push(fc.constant(type === 'SearchPackagesAnswer' ? '...A?' : '...I?'));
  return fc.array(fc.oneof(...one), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' '));
}

/** Whether a text has too many tokens, aliases or fields. */
function isOverLimit(text: string): boolean {
  const compiled = compile(text, null);
  return compiled.kind === 'refused' && /500 tokens|at most/.test(compiled.errors[0]?.message ?? '');
}

it('responds like the reference implementation to any valid query', async () => {
  const CONDITIONS = [
    '',
    '',
    ' @skip(if: true)',
    ' @skip(if: $yes)',
    ' @include(if: $yes)',
    ' @include(if: $no)',
  ];
  const conditions = fc.oneof(
    fc.constant(['']),
    fc.array(fc.constantFrom(...CONDITIONS), { minLength: 1, maxLength: 30 }),
  );
  const parts = fc.tuple(
    selectionsOf('SearchPackagesAnswer', 2),
    fc.constantFrom('count', 'hasMoreData items { ...I }', 'nextToken items { Hotel }'),
    conditions,
  );
  await fc.assert(
    fc.asyncProperty(parts, async ([selections, shared, choices]) => {
      let nth = 0;
      const body = `{ ${search(`${selections} ...A? ...A items { ...I }`)} }`;
      const isConditional = choices.some((choice) => choice !== '');
      const head = isConditional ? 'query ($yes: Boolean = true, $no: Boolean = false)' : 'query';
      const used = isConditional ? '__typename @skip(if: $yes) @include(if: $no)' : '__typename';
      const fragments = `fragment A on SearchPackagesAnswer { ${shared} } fragment I on PackageSearchItem { TotalPrice }`;
      const text = `${head} ${body.replace('{', `{ ${used} `)} ${fragments}`.replaceAll(
        '?',
        () => choices[nth++ % choices.length] ?? '',
      );
      const document = parse(text);
      fc.pre(validate(schema, document).length === 0 && !isOverLimit(text));
      const reference = await execute({ schema, document, contextValue: CONTEXT });
      const answer = await answerTo(text);
      expect(JSON.stringify(answer)).toBe(JSON.stringify(reference));
    }),
    { numRuns: 500 },
  );
});
