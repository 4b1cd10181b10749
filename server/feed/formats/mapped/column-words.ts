/** The last part of a column's path: `currency` of `price/@currency`. */
export function lastName(column: string): string {
  return column.split(/[./@]/).findLast((part) => part !== '') ?? column;
}

const PER_PERSON = /per.?pers|pro.?pers|par.?pers|(?:^|[^a-z])(?:each|p\.?p(?:p?n)?\.?)(?:$|[^a-z])/i;

/** Whether a column is called like prices per person. */
export function isPerPerson(column: string): boolean {
  return PER_PERSON.test(lastName(column));
}
