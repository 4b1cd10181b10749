/** A number, or null if it is unknown: 0 would trigger alarms on age. With labels, the values by labels. */
export type GaugeValue = number | null | readonly (readonly [Readonly<Record<string, string>>, number])[];

/** A metric that is read from `Facts`. `name` has no `skylark_`. */
export interface GaugeOf<Facts> {
  name: string;
  help: string;
  labels: readonly string[];
  read(facts: Facts): GaugeValue;
}

export function gauge<Facts>(
  name: string,
  help: string,
  read: (facts: Facts) => GaugeValue,
  ...labels: readonly string[]
): GaugeOf<Facts> {
  return { name, help, labels, read };
}
