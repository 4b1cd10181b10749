import { pino } from 'pino';
import { expect, it } from 'vitest';
import { readableLine } from './readable-line.ts';

function written(work: (log: ReturnType<typeof pino>) => void): string {
  const lines: string[] = [];
  const timestamp = () => `,"time":${Date.UTC(2027, 3, 1, 12, 30, 5)}`;
  work(pino({ base: null, timestamp }, { write: (line: string) => void lines.push(readableLine(line)) }));
  return lines.join('');
}

it('writes a request as one line of text', () => {
  const text = written((log) => log.info({ reqId: 'abc', method: 'GET', path: '/a\u001b[2J', status: 200 }));
  expect(text).toBe('12:30:05 INFO  reqId=abc method=GET path=/a [2J status=200\n');
});

it('writes a message first, and an error with its stack', () => {
  expect(written((log) => log.warn({ reason: 'a lock' }, 'No store'))).toBe(
    '12:30:05 WARN  No store reason=a lock\n',
  );
  expect(written((log) => log.error(new Error('no disk')))).toMatch(
    /^12:30:05 ERROR no disk\nError: no disk\n {4}at /,
  );
});
