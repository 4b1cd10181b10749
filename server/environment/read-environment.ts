import { readFileSync } from 'node:fs';
import * as v from 'valibot';

export type Variables = Readonly<Record<string, string | undefined>>;
export type Read<T> = { kind: 'read'; value: T } | { kind: 'refused'; message: string };

const MAX_SECRET = 16_384;

/**
 * Reads the entries' variables. An empty variable counts as unset. A secret may be in a file, named by the
 * variable with `_FILE` appended. Throws for the first variable that is invalid or missing.
 */
export function readEnvironment(
  entries: Readonly<Record<string, v.GenericSchema<string | undefined, unknown>>>,
  secrets: ReadonlySet<string>,
  variables: Variables,
): Read<Record<string, unknown>> {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value));
  const files = readSecretFiles(secrets, set);
  if (files.kind === 'refused') return files;
  const given = { ...set, ...files.value };
  const parsed = v.safeParse(v.object(entries), given, { abortEarly: true });
  if (parsed.success) return { kind: 'read', value: parsed.output };
  const [issue] = parsed.issues;
  const name = v.getDotPath(issue) ?? 'The environment';
  const value = given[name];
  if (value === undefined) {
    return { kind: 'refused', message: `${name} must be set: the chosen provider requires it.` };
  }
  const got = secrets.has(name) ? 'the value is not shown' : `got "${value}"`;
  return { kind: 'refused', message: `${name} must be ${issue.message} (${got}).` };
}

function readSecretFiles(names: ReadonlySet<string>, set: Variables): Read<Record<string, string>> {
  const secrets: Record<string, string> = {};
  for (const name of names) {
    const path = set[`${name}_FILE`];
    if (path === undefined) continue;
    if (set[name] !== undefined) {
      return { kind: 'refused', message: `${name} and ${name}_FILE are both set. Set only one of them.` };
    }
    const secret = readSecret(path);
    if (secret.kind === 'refused') {
      const message = `${name}_FILE must be a file that holds the secret (got "${path}"): ${secret.message}.`;
      return { kind: 'refused', message };
    }
    secrets[name] = secret.value;
  }
  return { kind: 'read', value: secrets };
}

function readSecret(path: string): Read<string> {
  try {
    // Editors add a newline at the end of a file.
    const secret = readFileSync(path, 'utf8').trimEnd();
    if (secret === '') return { kind: 'refused', message: 'it is empty' };
    if (secret.length > MAX_SECRET) return { kind: 'refused', message: 'it is too long' };
    return { kind: 'read', value: secret };
  } catch (error) {
    return { kind: 'refused', message: error instanceof Error ? error.message : String(error) };
  }
}
