import type * as v from 'valibot';
import { type Read, readEnvironment, type Variables } from './read-environment.ts';

/** A setting: its environment variable, and the schema of its value. */
export interface Setting<T> {
  variable: string;
  schema: v.GenericSchema<string | undefined, T>;
  /** A secret never appears in messages, and may be in a file. */
  isSecret: boolean;
}

/** Settings by their names in the code. They may be in groups. */
export interface Settings {
  readonly [field: string]: Setting<unknown> | Settings;
}

/** The parsed values of settings. */
export type ValuesOf<S> = { [F in keyof S]: S[F] extends Setting<infer T> ? T : ValuesOf<S[F]> };

export interface SettingsReader<T> {
  variables: readonly string[];
  /** The names in `variables` whose values are secret. */
  secrets: ReadonlySet<string>;
  read(variables: Variables): Read<T>;
}

export type ReadValue<R> = R extends SettingsReader<infer T> ? T : never;

export function setting<T>(variable: string, schema: v.GenericSchema<string | undefined, T>): Setting<T> {
  return { variable, schema, isSecret: false };
}

export function secretSetting<T>(
  variable: string,
  schema: v.GenericSchema<string | undefined, T>,
): Setting<T> {
  return { variable, schema, isSecret: true };
}

/** Makes a reader for a group of settings. A schema's message completes 'VARIABLE must be ...'. */
export function defineSettings<S extends Settings>(settings: S): SettingsReader<ValuesOf<S>> {
  const all = flatten(settings);
  const entries = Object.fromEntries(all.map(({ variable, schema }) => [variable, schema]));
  const secrets = new Set(all.filter(({ isSecret }) => isSecret).map(({ variable }) => variable));
  return {
    variables: Object.keys(entries),
    secrets,
    read(variables) {
      const read = readEnvironment(entries, secrets, variables);
      return read.kind === 'refused' ? read : { kind: 'read', value: named(settings, read.value) };
    },
  };
}

function flatten(settings: Settings): Setting<unknown>[] {
  return Object.values(settings).flatMap((one) => (isSetting(one) ? [one] : flatten(one)));
}

function named<S extends Settings>(settings: S, read: Readonly<Record<string, unknown>>): ValuesOf<S> {
  const values = Object.entries(settings).map(([field, one]) => [
    field,
    isSetting(one) ? read[one.variable] : named(one, read),
  ]);
  // Safe, because each field's own schema has parsed it.
  return Object.fromEntries(values) as ValuesOf<S>;
}

function isSetting(one: Setting<unknown> | Settings): one is Setting<unknown> {
  return typeof one.variable === 'string';
}
