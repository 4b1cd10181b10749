/**
 * Rules as templates of words. A token is a word, several words to choose from (`stop|end`), a phrase (`give_over`), a
 * concept (`<thing>`), the start of a word (`ecri~`) or `.`, any word. `?`, `*` (up to 6), `+` and `{0,2}` repeat it.
 * `!` before a token: it must not follow. `-`: it must not stand before. `^` and `$` are the ends of the clause.
 */
export type Template = string;

/** Words and phrases that mean the same to the rules: a list with spaces between, or templates. */
export type Concept = string | readonly Template[];

/** No quantifier is open, so that no text makes a rule slow. */
const REPEATS: Readonly<Record<string, string>> = { '*': '{0,6}', '+': '{1,6}', '?': '?', '': '' };

/** The rules as regular expressions. They are matched on text in which a space follows each word. */
export function compileRules(concepts: Readonly<Record<string, Concept>>) {
  const compiled = new Map<string, string>();

  function conceptSource(name: string): string {
    const known = compiled.get(name);
    if (known !== undefined) return known;
    const concept = concepts[name];
    if (concept === undefined) throw new Error(`No concept <${name}>`);
    const templates = typeof concept === 'string' ? concept.trim().split(/\s+/) : concept;
    const source = alternatives(templates.map(tokensOf));
    compiled.set(name, source);
    return source;
  }

  function tokenSource(token: string): string {
    if (token === '^' || token === '$') return token;
    const [, sign = '', body = '', repeat = ''] = /^([!-]?)(.+?)([?*+]|\{\d,\d\})?$/u.exec(token) ?? [];
    const source = bodySource(body);
    if (sign === '!') return `(?!${source})`;
    if (sign === '-') return `(?<!(?<![^ ])(?:${source}))`;
    return `(?:${source})${REPEATS[repeat] ?? repeat}`;
  }

  function bodySource(body: string): string {
    return body
      .split('|')
      .map((word) => {
        const [, concept] = /^<(.+)>$/.exec(word) ?? [];
        if (word === '.') return '[^ ]+ ';
        return concept === undefined
          ? `${word.replaceAll('_', ' ').replaceAll('~', '[^ ]*')} `
          : conceptSource(concept);
      })
      .join('|');
  }

  /** Templates that begin with the same tokens share them, so that the expression stays small. */
  function alternatives(templates: readonly (readonly string[])[]): string {
    const after = new Map<string, string[][]>();
    for (const [first, ...rest] of templates) {
      if (first === undefined) return '';
      const others = after.get(first) ?? [];
      others.push(rest);
      after.set(first, others);
    }
    const sources = [...after].map(([token, rests]) => tokenSource(token) + alternatives(rests));
    return sources.length === 1 ? sources.join('') : `(?:${sources.join('|')})`;
  }

  /** Templates that end with the same two tokens (`<closer>* $`) share those too. */
  function byEnding(templates: readonly string[][]): string {
    const endings = Map.groupBy(templates, (tokens) =>
      tokens.length > 3 && tokens.at(-1) === '$' ? tokens.slice(-2).join(' ') : '',
    );
    const sources = [...endings].map(([ending, tokens]) => {
      const last = tokensOf(ending).filter((token) => token !== '');
      const stems = tokens.map((each) => each.slice(0, each.length - last.length));
      return alternatives(stems) + last.map(tokenSource).join('');
    });
    return `(?:${sources.join('|')})`;
  }

  /** One rule for all templates: it applies where any of them does. */
  return (templates: readonly Template[]): Rule => {
    const tokens = templates.map(tokensOf);
    const atStart = tokens.filter(([first]) => first === '^');
    const anywhere = tokens.filter(([first]) => first !== '^');
    return [
      ...(atStart.length === 0 ? [] : [new RegExp(byEnding(atStart))]),
      ...(anywhere.length === 0 ? [] : [new RegExp(`(?<![^ ])${byEnding(anywhere)}`)]),
    ];
  };
}

function tokensOf(template: Template): string[] {
  return template.trim().split(/\s+/);
}

/** What a rule matches at the start of a clause, and anywhere in it. */
export type Rule = readonly RegExp[];

/** Whether a rule applies to the words of a clause. */
export function applies(rule: Rule, words: string): boolean {
  const spaced = `${words} `;
  return rule.some((pattern) => pattern.test(spaced));
}
