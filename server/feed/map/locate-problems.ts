import type { Problem } from '../formats/raw-row.ts';

/** A problem as an operator finds it in the feed. */
export interface LocatedProblem extends Problem {
  /** The mapped column; `field` then lists all fields with this problem. */
  column?: string;
}

/**
 * Adds the columns of mapped fields to a row's problems. A fault in a cell that several fields are read from
 * is one problem.
 */
export function locateProblems(
  problems: readonly Problem[],
  columnOf: (field: string) => string | undefined,
): LocatedProblem[] {
  const located: LocatedProblem[] = [];
  for (const problem of problems) {
    const column = columnOf(problem.field);
    if (column === undefined) {
      located.push(problem);
      continue;
    }
    const same = located.find(
      (other) => other.column === column && other.value === problem.value && other.reason === problem.reason,
    );
    if (same === undefined) located.push({ ...problem, column });
    else same.field += `, ${problem.field}`;
  }
  return located;
}
