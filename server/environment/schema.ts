import * as v from 'valibot';

/** One setting: the variable of the environment that gives it, and what that takes. */
export interface Setting<T> {
  variable: string;
  takes: v.GenericSchema<string | undefined, T>;
}

/** Settings by the names that the code has for them, in groups where that helps. */
export interface Settings {
  readonly [field: string]: Setting<unknown> | Settings;
}

/** What settings come to once they are read. */
export type ValuesOf<S> = { [F in keyof S]: S[F] extends Setting<infer T> ? T : ValuesOf<S[F]> };

export function setting<T>(variable: string, takes: v.GenericSchema<string | undefined, T>): Setting<T> {
  return { variable, takes };
}

/** The schema of the environment that reads these settings. */
export function settingsSchema<S extends Settings>(settings: S): v.GenericSchema<unknown, ValuesOf<S>> {
  return v.pipe(
    v.object(variablesOf(settings)),
    v.transform((read) => named(settings, read)),
  );
}

function variablesOf(settings: Settings): Record<string, v.GenericSchema<string | undefined, unknown>> {
  const entries = Object.values(settings).flatMap((one) =>
    isSetting(one) ? [[one.variable, one.takes] as const] : Object.entries(variablesOf(one)),
  );
  return Object.fromEntries(entries);
}

function named<S extends Settings>(settings: S, read: Readonly<Record<string, unknown>>): ValuesOf<S> {
  const values = Object.entries(settings).map(([field, one]) => [
    field,
    isSetting(one) ? read[one.variable] : named(one, read),
  ]);
  // Each field was read by its own schema.
  return Object.fromEntries(values) as ValuesOf<S>;
}

function isSetting(one: Setting<unknown> | Settings): one is Setting<unknown> {
  return typeof one.variable === 'string';
}
