import { foldText } from '../../domain/fold-text.ts';

/** A piece of a label; `matched` if it matches the typed text. */
export interface LabelPiece {
  text: string;
  matched: boolean;
}

/**
 * Splits a label where it matches `text`, ignoring case and accents: at the first occurrence of the text, else at each
 * word of the label that starts with a word of the text.
 */
export function highlightMatch(label: string, text: string): LabelPiece[] {
  const wanted = foldText(text);
  if (wanted === '') return [{ text: label, matched: false }];
  const { folded, sources } = foldWithSources(label);
  const whole = folded.indexOf(wanted);
  const spans =
    whole >= 0
      ? [{ start: whole, end: whole + wanted.length }]
      : wanted.split(' ').flatMap((word) => {
          const start = ` ${folded}`.indexOf(` ${word}`);
          return start < 0 ? [] : [{ start, end: start + word.length }];
        });
  const marked = Array.from({ length: label.length }, () => false);
  for (const { start, end } of spans) {
    const from = sources[start];
    const to = sources[end - 1];
    if (from !== undefined && to !== undefined) marked.fill(true, from.start, to.end);
  }
  return joinPieces(label, marked);
}

interface Source {
  start: number;
  end: number;
}

/** The folded label, with the position of each folded character in the label. */
function foldWithSources(label: string): { folded: string; sources: Source[] } {
  let folded = '';
  const sources: Source[] = [];
  let at = 0;
  for (const character of label) {
    const source = { start: at, end: at + character.length };
    at = source.end;
    for (const letter of foldCharacter(character)) {
      if (letter === ' ' && (folded === '' || folded.endsWith(' '))) continue;
      folded += letter;
      for (let unit = 0; unit < letter.length; unit += 1) sources.push(source);
    }
  }
  return { folded, sources };
}

/** Folds a character between letters, so that a word separator becomes a space instead of nothing. */
function foldCharacter(character: string): string {
  return foldText(`x${character}x`).slice(1, -1);
}

function joinPieces(label: string, marked: readonly boolean[]): LabelPiece[] {
  const pieces: LabelPiece[] = [];
  for (let at = 0; at < label.length; at += 1) {
    const matched = marked[at] === true;
    const last = pieces.at(-1);
    if (last !== undefined && last.matched === matched) last.text += label.charAt(at);
    else pieces.push({ text: label.charAt(at), matched });
  }
  return pieces;
}
