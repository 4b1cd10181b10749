import type { FeedFormat } from '../formats/feed-format.ts';
import { fieldProblems, readFlatItem } from '../formats/flat-item.ts';
import type { FeedBytes, Problem } from '../formats/raw-row.ts';
import type { FeedPackage } from './feed-package.ts';
import { type FeedContext, packageChecker } from './to-feed-package.ts';

export interface RowCounts {
  rows: number;
  refused: number;
  leftOut: number;
}

/** Collects refused rows with reasons. */
export interface RefusalReport {
  add(line: number, problems: readonly Problem[], isLeftOut: boolean): void;
  /** Adds a warning about an imported row. */
  remark(line: number, remarks: readonly Problem[]): void;
}

/** Reads a feed's packages in batches and updates `counts`. Refused rows go to the report. */
export async function* readPackages(
  bytes: FeedBytes,
  format: FeedFormat,
  context: FeedContext,
  report: RefusalReport,
  counts: RowCounts,
): AsyncGenerator<FeedPackage[]> {
  const check = packageChecker(context);

  function refuse(line: number, problems: readonly Problem[]): void {
    counts.refused += 1;
    report.add(line, problems, false);
  }

  for await (const rows of format.read(bytes)) {
    const packages: FeedPackage[] = [];
    for (const row of rows) {
      counts.rows += 1;
      if (row.kind === 'unreadable') {
        refuse(row.line, row.problems);
        continue;
      }
      const { fields, problems } = row;
      // A deletion needs no price.
      if (fields.TotalPrice === undefined && fields.Deleted !== undefined) fields.TotalPrice = 0;
      const item = problems.length > 0 ? null : readFlatItem(fields);
      if (item === null) {
        const isBlank = problems.length === 0 && Object.values(fields).every((value) => value === undefined);
        // A field with a problem is not also missing.
        const seen = new Set(problems.map(({ field }) => field));
        const more = fieldProblems(fields).filter(({ field }) => !seen.has(field));
        refuse(row.line, isBlank ? [NO_FIELDS] : [...problems, ...more]);
        continue;
      }
      const checked = check(item, row.line);
      if (checked.kind === 'refused') {
        refuse(row.line, checked.problems);
      } else if (checked.kind === 'left out') {
        counts.leftOut += 1;
        report.add(row.line, checked.problems, true);
      } else {
        packages.push(checked.package);
      }
    }
    yield packages;
  }
}

/** For a blank row, or an object around the items: a list of missing fields would not explain it. */
const NO_FIELDS: Problem = {
  field: '',
  value: undefined,
  reason: "has none of an item's fields (docs/contracts/feed-columns.md)",
};
