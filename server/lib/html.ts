/** Text that is already HTML, so `html` does not escape it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Null, undefined and booleans render as nothing, so that `isShown && html...` works. */
export type HtmlValue = string | number | boolean | null | undefined | Html | readonly HtmlValue[];

/** Renders HTML. Escapes values for content and quoted attributes, except `Html`. */
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
