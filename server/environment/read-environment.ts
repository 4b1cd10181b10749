import { readFileSync } from 'node:fs';
import * as v from 'valibot';

export type Variables = Readonly<Record<string, string | undefined>>;
export type Read<T> = { kind: 'read'; value: T } | { kind: 'refused'; message: string };

/**
 * Their values must not be carried into a log. Each may be given as a file that holds it, named by the variable
 * with `_FILE` behind: so that a secret stands in no list of processes and no container's settings.
 */
export const SECRETS: ReadonlySet<string> = new Set([
  'TOKEN_KEY',
  'METRICS_TOKEN',
  'DATABASE_URL',
  'DATABASE_READ_URLS',
  'ALERTS_KEY',
  'META_TOKEN',
  'META_APP_SECRET',
  'META_VERIFY_TOKEN',
  'TWILIO_AUTH_TOKEN',
  'BIRD_ACCESS_KEY',
  'BIRD_SIGNING_KEY',
]);

/** A secret is no longer, in characters. */
const LONGEST_SECRET = 16_384;

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

/**
 * Reads variables of the environment, and the files of secrets that are given so; an empty one counts as none. A
 * wrong or missing one is refused by name.
 */
export function readBy<S extends v.GenericSchema>(schema: S, variables: Variables): Read<v.InferOutput<S>> {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value));
  const files = readSecretFiles(namesIn(schema), set);
  if (files.kind === 'refused') return files;
  const given = { ...set, ...files.value };
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

/** The variables that a schema reads: it is an object, or begins with one. */
export function namesIn(schema: v.GenericSchema): string[] {
  const [object = schema] = 'pipe' in schema && Array.isArray(schema.pipe) ? (schema.pipe as unknown[]) : [];
  const entries = (object as { entries?: Readonly<Record<string, unknown>> }).entries;
  return Object.keys(entries ?? {});
}

function readSecretFiles(names: readonly string[], set: Variables): Read<Record<string, string>> {
  const secrets: Record<string, string> = {};
  for (const name of names) {
    const path = SECRETS.has(name) ? set[`${name}_FILE`] : undefined;
    if (path === undefined) continue;
    if (set[name] !== undefined) {
      return { kind: 'refused', message: `${name} and ${name}_FILE are both set: give one of them.` };
    }
    const secret = readSecret(path);
    if (secret.kind === 'refused') {
      const message = `${name}_FILE is "${path}", and takes a file that holds the secret: ${secret.message}.`;
      return { kind: 'refused', message };
    }
    secrets[name] = secret.value;
  }
  return { kind: 'read', value: secrets };
}

function readSecret(path: string): Read<string> {
  try {
    // Editors end a file with a line break, which is none of the secret.
    const secret = readFileSync(path, 'utf8').trimEnd();
    if (secret === '') return { kind: 'refused', message: 'it is empty' };
    if (secret.length > LONGEST_SECRET) return { kind: 'refused', message: 'it is far too long' };
    return { kind: 'read', value: secret };
  } catch (error) {
    return { kind: 'refused', message: error instanceof Error ? error.message : String(error) };
  }
}
