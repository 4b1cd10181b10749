import * as v from 'valibot';

const TEXT = 'non-blank text';
export const HTTP_URL = 'an http or https URL with a host name of letters, digits, dots and hyphens';
export const WIDGET_URL =
  'none, a path such as /widget/price-analysis.js, or an https URL with a host name of letters, digits, dots and hyphens';

export const requiredText = v.pipe(v.string(), v.trim(), v.nonEmpty(TEXT));

export const textOr = (fallback: string) => v.optional(requiredText, fallback);

/** The schema's value, or null if the variable is unset. */
export const orNull = <T>(schema: v.GenericSchema<string, T>) =>
  // A variable is never null, so null always means the default.
  v.optional(v.nullable(schema), null) as v.GenericSchema<string | undefined, T | null>;

export const wholeNumber = (min: number, max: number) => {
  const expected = `a whole number from ${min} to ${max}`;
  return v.pipe(
    v.string(),
    v.regex(/^\d{1,10}$/, expected),
    v.transform(Number),
    v.minValue(min, expected),
    v.maxValue(max, expected),
  );
};

/** One of several words. The first is the default. */
export const oneOf = <const T extends string>(...choices: [T, ...T[]]) =>
  v.optional(v.picklist(choices, listed(choices)), choices[0]);

export const listOf = (isOne: (text: string) => boolean, expected: string) =>
  v.pipe(
    v.optional(v.string(), ''),
    v.transform((list) => (list === '' ? [] : list.split(',').map((text) => text.trim()))),
    v.check((texts) => texts.every(isOne), expected),
  );

/** An http or https URL, without trailing slashes. */
export const httpUrl = v.pipe(
  v.string(),
  v.check(isHttpUrl, HTTP_URL),
  v.transform((value) => value.replace(/\/+$/, '')),
);

export function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && isPlainHost(url);
}

/** Rejects characters such as `;`, which would end a source of the Content-Security-Policy. */
function isPlainHost({ hostname }: URL): boolean {
  return /^([a-z\d._-]+|\[[\da-f:.]+\])$/.test(hostname);
}

/** The widget's source: a path on this server, an https URL, or `none`. */
export function isWidgetUrl(text: string): boolean {
  if (text === 'none' || /^\/(?!\/)[^\s\\]+$/.test(text)) return true;
  const url = URL.parse(text);
  return url?.protocol === 'https:' && isPlainHost(url);
}

export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}
