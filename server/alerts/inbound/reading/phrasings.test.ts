import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Command } from './command.ts';
import { readCommand } from './read-command.ts';
import { scopeCommand } from './scope.ts';

const FIXTURES = new URL('../../../../tests/fixtures/alerts/', import.meta.url);

/** The rows of a table, with \n and \uXXXX decoded. */
function linesOf(file: string): string[][] {
  const [, ...lines] = readFileSync(new URL(file, FIXTURES), 'utf8').trimEnd().split('\n');
  return lines.map((line) =>
    line
      .replaceAll('\\n', '\n')
      .replace(/\\u([\da-f]{4})/g, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .split('\t'),
  );
}

const WATCHES = [
  { number: 1, names: ['Hotel Sol', 'Benidorm', 'Costa Blanca', 'Spain'], departure: '2027-05-14' },
  {
    number: 2,
    names: ['Playa Hotel', 'Playa de las Américas', 'Tenerife', 'Canary Islands'],
    departure: '2027-06-03',
  },
];

const nameOf = (command: Command) =>
  command.kind === 'stop-one' ? `stop ${command.numbers.join(',')}` : command.kind;

describe('A reply from a person who watches Hotel Sol in Benidorm from 14 May and Playa Hotel in Tenerife from 3 June', () => {
  it.each(linesOf('replies.tsv'))('%j means: %s', (text = '', meaning) => {
    expect(nameOf(scopeCommand(readCommand({ text, payload: null }), text, WATCHES))).toBe(meaning);
  });
});

describe('readCommand, on the table of phrasings', () => {
  const read = linesOf('phrasings.tsv').map(([meaning = '', button = '-', text = '']) => {
    const { kind } = readCommand({ text, payload: button === '-' ? null : button });
    return { meaning, kind, text };
  });
  const wrong = (isWrong: (row: (typeof read)[number]) => boolean) => read.filter(isWrong);
  const stops = read.filter(({ meaning }) => meaning === 'stop' || meaning === 'stop-one');
  const others = read.filter(({ meaning }) => !meaning.startsWith('stop'));

  it('reads at least 99 of 100 stops as a stop', () => {
    const missed = stops.filter(({ kind, meaning }) => kind !== meaning);
    expect(missed.length / stops.length, JSON.stringify(missed)).toBeLessThanOrEqual(0.01);
  });

  it('reads at least 998 of 1,000 stops as a stop, or asks', () => {
    const missed = stops.filter(({ kind }) => kind !== 'stop' && kind !== 'stop-one' && kind !== 'ask');
    expect(missed.length / stops.length, JSON.stringify(missed)).toBeLessThanOrEqual(0.002);
  });

  it('wrongly reads at most one in 200 other messages as a stop', () => {
    const taken = others.filter(({ kind }) => kind === 'stop' || kind === 'stop-one');
    expect(taken.length / others.length, JSON.stringify(taken)).toBeLessThanOrEqual(0.005);
  });

  it('never wrongly reads a message as a request to delete, to start or to confirm', () => {
    const acted = wrong(({ meaning, kind }) => meaning === 'none' && ['ask-delete', 'start'].includes(kind));
    expect(acted).toEqual([]);
  });

  it('reads at least 93 of 100 English messages correctly', () => {
    const english = read.filter(({ meaning }) => meaning !== 'stop?' && meaning !== 'other');
    const missed = english.filter(({ meaning, kind }) => meaning !== kind);
    expect(missed.length / english.length).toBeLessThanOrEqual(0.07);
  });

  it('reads at least 99 of 100 stops in other languages as a stop, or asks', () => {
    const elsewhere = read.filter(({ meaning }) => meaning === 'stop?');
    const missed = elsewhere.filter(({ kind }) => !['stop', 'stop-one', 'ask', 'ask-delete'].includes(kind));
    expect(missed.length / elsewhere.length, JSON.stringify(missed)).toBeLessThanOrEqual(0.01);
  });
});
