import { memoizeWeak } from '../lib/memoize.ts';
import type { SqlInput, SqlStatement, SqlTag } from './sql-database.ts';

/** Tagged statements, each prepared with `prepare` on first use. */
export function sqlTag(prepare: (sql: string) => SqlStatement): SqlTag {
  const statementOf = memoizeWeak((strings: TemplateStringsArray) => prepare(strings.join('?')));
  return {
    get: <Row>(strings: TemplateStringsArray, ...values: readonly SqlInput[]) =>
      statementOf(strings).get(...values) as Promise<Row | undefined>,
    all: <Row>(strings: TemplateStringsArray, ...values: readonly SqlInput[]) =>
      statementOf(strings).all(...values) as Promise<Row[]>,
    run: (strings, ...values) => statementOf(strings).run(...values),
  };
}
