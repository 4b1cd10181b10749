/** A measurement over several runs, with its budget. */
export interface Measure {
  name: string;
  unit: 'ms' | 'kB' | '';
  values: readonly number[];
  budget?: number;
  worst?: number;
}

/** Prints measurements next to their budgets. */
export function printTable(measures: readonly Measure[]): void {
  console.log(`\n${'median / worst'.padEnd(44)}${'measured'.padStart(17)}${'budget'.padStart(14)}`);
  for (const measure of measures) {
    const { name, unit, values, budget, worst } = measure;
    const measured = `${show(medianOf(values), unit)} / ${show(Math.max(...values), unit)}`;
    const allowed = [budget, worst].map((most) => (most === undefined ? '-' : show(most, unit))).join(' / ');
    console.log(
      `${`${name}${unit && `, ${unit}`}`.padEnd(44)}${measured.padStart(17)}` +
        `${(allowed === '- / -' ? '' : allowed).padStart(14)}  ${mark(measure)}`,
    );
  }
}

export function mark({ values, budget, worst }: Measure): '' | 'ok' | 'OVER' {
  if (budget === undefined && worst === undefined) return '';
  const within = medianOf(values) <= (budget ?? Infinity) && Math.max(...values) <= (worst ?? Infinity);
  return within ? 'ok' : 'OVER';
}

function show(value: number, unit: Measure['unit']): string {
  if (unit === 'ms') return String(Math.round(value));
  return unit === 'kB' ? (value / 1_000).toFixed(1) : value.toFixed(3);
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
