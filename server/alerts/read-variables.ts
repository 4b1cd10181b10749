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

/** Reads variables of the environment; an empty one counts as none. A wrong or missing one is refused by name. */
export function readBy<S extends v.GenericSchema>(schema: S, variables: Variables): Read<v.InferOutput<S>> {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value));
  const parsed = v.safeParse(schema, given, { abortEarly: true });
  if (parsed.success) return { kind: 'read', value: parsed.output };
  const [issue] = parsed.issues;
  const name = v.getDotPath(issue) ?? 'The environment';
  const value = given[name];
  const got = value === undefined ? 'not set' : SECRETS.has(name) ? 'another text' : `"${value}"`;
  // A missing variable is told by its object, whose words are not ours.
  const takes = value === undefined ? 'some text: the chosen provider needs it' : issue.message;
  return { kind: 'refused', message: `${name} is ${got}, and takes ${takes}.` };
}
