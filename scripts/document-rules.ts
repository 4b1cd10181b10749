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

/**
 * A version stands for one tree: only the commit that sets it may have a released version, with nothing unreleased in
 * CHANGELOG.md. Every other tree has a `-dev` version above the last release.
 */
export function versionProblems(version: string, changelog: string, isReleaseCommit: boolean): string[] {
  const [, unreleased = '', released = ''] =
    /^## Unreleased\n(.*?)^## (\S+)/ms.exec(changelog.replaceAll('\r', '')) ?? [];
  const isEmpty = /^\s*(?:Nothing yet\.)?\s*$/.test(unreleased);
  if (isReleaseCommit && isEmpty && version === released) return [];
  const [core = '', suffix] = version.split('-');
  if (suffix === 'dev' && core.localeCompare(released, 'en', { numeric: true }) > 0) return [];
  return [
    `package.json: after the release of ${released}, the version is the next one with -dev, not ${version}`,
  ];
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
