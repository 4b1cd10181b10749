/** A measure of one page over several runs, against what it may be. */
export interface Measure {
  name: string;
  unit: 'ms' | 'kB' | '';
  values: readonly number[];
  /** What the median may be, where there is a budget. */
  budget?: number;
  /** What the worst may be. */
  worst?: number;
}

/** Prints the measures of a page beside another page's of the same names; budgets are the first page's. */
export function printTable(measures: readonly Measure[], usual: readonly Measure[]): void {
  console.log(
    `\n${'median / worst'.padEnd(44)}${'Skylark'.padStart(17)}${'budget'.padStart(14)}  ${''.padEnd(6)}${'usual page'.padStart(17)}`,
  );
  for (const measure of measures) {
    const other = usual.find(({ name }) => name === measure.name);
    const { name, unit, budget, worst } = measure;
    const allowed = [budget, worst].map((most) => (most === undefined ? '-' : show(most, unit))).join(' / ');
    console.log(
      `${`${name}${unit && `, ${unit}`}`.padEnd(44)}${medianAndWorst(measure).padStart(17)}` +
        `${(allowed === '- / -' ? '' : allowed).padStart(14)}  ${mark(measure).padEnd(6)}` +
        `${(other ? medianAndWorst(other) : '').padStart(17)}`,
    );
  }
}

/** Whether the measure keeps within its budgets; '' where it has none. */
export function mark({ values, budget, worst }: Measure): '' | 'ok' | 'OVER' {
  if (budget === undefined && worst === undefined) return '';
  const within = medianOf(values) <= (budget ?? Infinity) && Math.max(...values) <= (worst ?? Infinity);
  return within ? 'ok' : 'OVER';
}

function medianAndWorst({ values, unit }: Measure): string {
  return `${show(medianOf(values), unit)} / ${show(Math.max(...values), unit)}`;
}

function show(value: number, unit: Measure['unit']): string {
  if (unit === 'ms') return String(Math.round(value));
  return unit === 'kB' ? (value / 1_000).toFixed(1) : value.toFixed(3);
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
