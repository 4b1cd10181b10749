/** HTML that may be put into other HTML as it is. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Nothing is written for null, undefined and booleans, so that `isShown && html...` works. */
export type HtmlValue = string | number | boolean | null | undefined | Html | readonly HtmlValue[];

/** Writes HTML. Values are escaped for content and quoted attributes, except those that are HTML already. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(
    parts.map((part, index) => `${part}${index < values.length ? textOf(values[index]) : ''}`).join(''),
  );
}

function textOf(value: HtmlValue): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return Array.isArray(value) ? value.map(textOf).join('') : '';
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
