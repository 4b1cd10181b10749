/**
 * Tokens: a word, alternatives (`stop|end`), a phrase (`give_over`), a word class (`<thing>`), a word's start
 * (`unsub~`) or any word (`.`). `?`, `*` (up to 6) and `{0,2}` repeat a token. `!token` must not follow,
 * `-token` must not precede. `^` and `$` are the ends of the clause.
 */
export type Pattern = string;

/** Alternatives: words with spaces between them, or patterns. */
export type WordClass = string | readonly Pattern[];

/** Matches text with a space after each word. Compiles when first called: few servers get messages. */
export type Rule = () => readonly RegExp[];

/** Repeats are bounded, so that no text makes a rule slow. */
const REPEATS: Readonly<Record<string, string>> = { '*': '{0,6}', '?': '?', '': '' };

/** Compiles patterns that use word classes. A class may use the classes listed before it. */
export function compileRules(
  classes: Readonly<Record<string, WordClass>>,
): (patterns: readonly Pattern[]) => Rule {
  const compiled = new Map<string, string>();
  for (const [name, members] of Object.entries(classes)) {
    const patterns = typeof members === 'string' ? members.trim().split(/\s+/) : members;
    compiled.set(name, patterns.map(source).join('|'));
  }

  function source(pattern: Pattern): string {
    return pattern.trim().split(/\s+/).map(tokenSource).join('');
  }

  function tokenSource(token: string): string {
    if (token === '^' || token === '$') return token;
    const [, sign = '', body = '', repeat = ''] = /^([!-]?)(.+?)([?*]|\{\d,\d\})?$/u.exec(token) ?? [];
    const words = body.split('|').map(wordSource).join('|');
    if (sign === '!') return `(?!${words})`;
    if (sign === '-') return `(?<!(?<![^ ])(?:${words}))`;
    return `(?:${words})${REPEATS[repeat] ?? repeat}`;
  }

  function wordSource(word: string): string {
    if (word === '.') return '[^ ]+ ';
    if (word === '$') return word;
    const [, name] = /^<(.+)>$/.exec(word) ?? [];
    if (name === undefined) return `${word.replaceAll('_', ' ').replaceAll('~', '[^ ]*')} `;
    const known = compiled.get(name);
    if (known === undefined) throw new Error(`No word class <${name}>`);
    return known;
  }

  const expression = (pattern: Pattern) => new RegExp(`(?<![^ ])${source(pattern)}`, 'g');
  return (patterns) => {
    let rule: RegExp[] | undefined;
    return () => (rule ??= patterns.map(expression));
  };
}

/** Whether a rule applies to the words of a clause. */
export function applies(rule: Rule, words: string): boolean {
  return rule().some((pattern) => `${words} `.search(pattern) >= 0);
}

/** The text without the words that a rule matches. */
export function without(rule: Rule, words: string): string {
  let left = `${words} `;
  for (const pattern of rule()) left = left.replace(pattern, '');
  return left.trim();
}
