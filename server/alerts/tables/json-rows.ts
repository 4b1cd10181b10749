/** Rows as JSON for `json_each`, which takes an object in both stores: its `value ->> 0` is a row's first value. */
export function jsonRows(rows: readonly (readonly (string | number | null)[])[]): string {
  return `{${rows.map((row, nth) => `"${nth}":${JSON.stringify(row)}`).join()}}`;
}
