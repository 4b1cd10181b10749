import { parseSync } from 'vite';

/** A test that is tagged with the statements of the specification that it proves. */
export interface TestProof {
  /** The title, with `…` for what a table of cases fills in. */
  title: string;
  /** Numbers as in docs/specification-statements.md, such as '2.14'. */
  statements: string[];
}

const TAG = /^\s*@proves\b(.*)$/;
const STATEMENTS = /^\s+\d+\.\d+(, \d+\.\d+)*$/;
/** What declares a test: functions of Vitest and Playwright, and the fixtures that extend them. */
const TEST_FUNCTIONS = new Set(['it', 'test', 'skylark', 'anotherServer']);
/** Their members that declare no test that runs. */
const NOT_A_TEST = new Set(['describe', 'skip', 'todo', 'fixme']);

/**
 * A file's tagged tests. A tag is the last comment line above the test: `// @proves 2.14, 7.7`. Throws if a
 * tag lists no numbers or has no test directly below it.
 */
export function testProofs(path: string, code: string): TestProof[] {
  const { program, comments, errors } = parseSync(path, code);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path} does not parse: ${error.message}`);
  const titles = titlesByStart(program);
  const lineOf = (offset: number) => code.slice(0, offset).split('\n').length;
  return comments.flatMap((comment) => {
    const [, list] = TAG.exec(comment.value) ?? [];
    if (list === undefined) return [];
    const place = `${path}:${lineOf(comment.start)}`;
    if (!STATEMENTS.test(list))
      throw new Error(`${place}: @proves must list statements, such as "@proves 2.14, 7.7"`);
    const title = titles.get(code.length - code.slice(comment.end).trimStart().length);
    if (title === undefined) throw new Error(`${place}: @proves must be directly above a test`);
    return [{ title, statements: list.trim().split(', ') }];
  });
}

interface SyntaxNode {
  type: string;
  start: number;
  [field: string]: unknown;
}

/** The titles of the tests by the offset of their calls. */
function titlesByStart(program: unknown): Map<number, string> {
  const titles = new Map<number, string>();
  visit(program, (node) => {
    if (node.type !== 'CallExpression' || !declaresTest(node.callee)) return;
    const [argument] = node.arguments as (SyntaxNode | undefined)[];
    const title = argument && titleOf(argument);
    if (title) titles.set(node.start, title);
  });
  return titles;
}

function visit(value: unknown, see: (node: SyntaxNode) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value) && 'type' in value) see(value as SyntaxNode);
  for (const child of Object.values(value)) visit(child, see);
}

/** True for `it`, `it.each(...)` and the like. */
function declaresTest(callee: unknown): boolean {
  const [name = '', ...members] = namesOf(callee);
  return TEST_FUNCTIONS.has(name) && !members.some((member) => NOT_A_TEST.has(member));
}

/** The names in a callee, from its root: `it`, `each` for `it.each(...)`. */
function namesOf(callee: unknown): string[] {
  const node = callee as SyntaxNode;
  if (node.type === 'Identifier') return [String(node.name)];
  if (node.type === 'CallExpression') return namesOf(node.callee);
  if (node.type === 'MemberExpression') return [...namesOf(node.object), ...namesOf(node.property)];
  return [];
}

function titleOf(argument: SyntaxNode): string | null {
  if (argument.type === 'Literal') return String(argument.value).replace(/%[sdijfo#]|\$\w+/g, '…');
  if (argument.type !== 'TemplateLiteral') return null;
  return (argument.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…');
}
