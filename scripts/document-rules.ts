import { posix } from 'node:path';
import { HOUSE_WORDS } from './house-words.ts';

export interface TextFile {
  /** Relative to the project's root, with `/` between folders. */
  path: string;
  text: string;
}

/** What the rules need to know about the project's other files. */
export interface Project {
  exists: (path: string) => boolean;
  read: (path: string) => string;
}

const SOURCES = /`((?:bench|domain|scripts|server|tests|web|widget)\/[\w./-]+)`/g;
const LINKS = /\]\((?!https?:|mailto:)([^)\s]+)\)/g;
const COMMENTS = /^\s*(?:\/\/|\/?\*).*$/gm;
const WORDS = new RegExp(`\\b(${Object.keys(HOUSE_WORDS).join('|')})\\b`, 'gi');

/** Links to missing files or headings, names of missing source files, and `HOUSE_WORDS`. */
export function documentProblems({ path, text }: TextFile, project: Project): string[] {
  const prose = text.replaceAll(/^```.*?^```/gms, '');
  return [
    ...brokenLinks(path, prose, project),
    ...missingSources(path, prose, project),
    ...badWords(path, prose),
  ];
}

/** Words of `HOUSE_WORDS` in a source file's comments. Checks only lines that start as a comment. */
export function commentProblems({ path, text }: TextFile): string[] {
  return badWords(path, (text.match(COMMENTS) ?? []).join('\n'));
}

function brokenLinks(path: string, prose: string, { exists, read }: Project): string[] {
  return matches(prose, LINKS).flatMap((link) => {
    const [file = '', heading] = link.split('#');
    const target = posix.join(posix.dirname(path), file);
    if (!exists(target)) return [`${path}: there is no file ${link}`];
    if (heading === undefined || headings(file === '' ? prose : read(target)).includes(heading)) return [];
    return [`${path}: there is no heading ${link}`];
  });
}

/** A page's headings, as links to them on GitHub spell them. */
function headings(text: string): string[] {
  const names = matches(text.replaceAll(/^```.*?^```/gms, ''), /^#+ (.+)$/gm);
  return names.map((name) =>
    name
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function missingSources(path: string, prose: string, { exists }: Project): string[] {
  const found = (source: string) => ['', '.ts', '.tsx'].some((end) => exists(source + end));
  return matches(prose, SOURCES)
    .filter((source) => !found(source))
    .map((source) => `${path}: there is no file ${source}`);
}

function badWords(path: string, prose: string): string[] {
  const own = prose.replaceAll(/`[^`]*`/g, '');
  return matches(own, WORDS).map(
    (word) => `${path}: instead of "${word}", write ${HOUSE_WORDS[word.toLowerCase()]}`,
  );
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, first = '']) => first);
}
