import type { SqlInput, SqlStatement, SqlTag } from './sql-database.ts';

/** Tagged statements, each prepared with `prepare` on first use. */
export function sqlTag(prepare: (sql: string) => SqlStatement): SqlTag {
  const statements = new WeakMap<TemplateStringsArray, SqlStatement>();
  const statementOf = (strings: TemplateStringsArray): SqlStatement => {
    const known = statements.get(strings);
    if (known !== undefined) return known;
    const statement = prepare(strings.join('?'));
    statements.set(strings, statement);
    return statement;
  };
  return {
    get: <Row>(strings: TemplateStringsArray, ...values: readonly SqlInput[]) =>
      statementOf(strings).get(...values) as Row | undefined,
    all: <Row>(strings: TemplateStringsArray, ...values: readonly SqlInput[]) =>
      statementOf(strings).all(...values) as Row[],
    run: (strings, ...values) => statementOf(strings).run(...values),
  };
}
