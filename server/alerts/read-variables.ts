import * as v from 'valibot';

export type Variables = Readonly<Record<string, string | undefined>>;
export type Read<T> = { kind: 'read'; value: T } | { kind: 'refused'; message: string };

/** Their values must not be carried into a log. */
const SECRETS = new Set([
  'ALERTS_KEY',
  'META_TOKEN',
  'META_APP_SECRET',
  'META_VERIFY_TOKEN',
  'TWILIO_AUTH_TOKEN',
  'BIRD_ACCESS_KEY',
  'BIRD_SIGNING_KEY',
]);

/** Some text that has to be there. */
export const neededText = v.pipe(v.string(), v.trim(), v.nonEmpty('some text'));

export const someText = (fallback: string) =>
  v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty('some text')), fallback);

/** An http or https address, without the slash at its end. */
export const webAddress = v.pipe(
  v.string(),
  v.check((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''), 'an http or https address'),
  v.transform((value) => value.replace(/\/+$/, '')),
);

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

/** Reads settings from the environment; an empty variable counts as none. A wrong or missing one is refused by name. */
export function readSettings<S extends Settings>(settings: S, variables: Variables): Read<ValuesOf<S>> {
  const values: Record<string, unknown> = {};
  for (const [field, one] of Object.entries(settings)) {
    const read = isSetting(one) ? readOne(one, variables) : readSettings(one, variables);
    if (read.kind === 'refused') return read;
    values[field] = read.value;
  }
  // Each field was read by its own schema.
  return { kind: 'read', value: values as ValuesOf<S> };
}

function readOne({ variable, takes }: Setting<unknown>, variables: Variables): Read<unknown> {
  const value = variables[variable] || undefined;
  const parsed = v.safeParse(takes, value, { abortEarly: true });
  if (parsed.success) return { kind: 'read', value: parsed.output };
  if (value === undefined) {
    const message = `${variable} is not set, and takes some text: the chosen provider needs it.`;
    return { kind: 'refused', message };
  }
  const got = SECRETS.has(variable) ? 'another text' : `"${value}"`;
  return { kind: 'refused', message: `${variable} is ${got}, and takes ${parsed.issues[0].message}.` };
}

function isSetting(one: Setting<unknown> | Settings): one is Setting<unknown> {
  return typeof one.variable === 'string';
}
