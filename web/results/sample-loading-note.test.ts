import { expect, it } from 'vitest';
import { sampleLoadingNote } from './sample-loading-note.ts';

const loadingThrough = (throughDay: string | null) => ({
  status: 'ok',
  inventory: { loading: true, throughDay, offers: 9 },
});

it('names the days that are not loaded yet', () => {
  expect(sampleLoadingNote(loadingThrough('2026-12-20'), '2026-12-21')).toBe(
    'Our sample holidays are still loading (so far up to 20 December 2026). Search again in a minute or two.',
  );
  expect(sampleLoadingNote(loadingThrough(null), '2026-12-21')).toBe(
    'Our sample holidays are still loading. Search again in a minute or two.',
  );
});

it.each([
  ['has loaded the day', loadingThrough('2026-12-20'), '2026-12-20'],
  ['has finished loading', { inventory: { loading: false, throughDay: '2026-12-20' } }, '2026-12-21'],
  ['sends an impossible day', loadingThrough('tomorrow'), '2026-12-21'],
  ['does not report its inventory', { status: 'ok' }, '2026-12-21'],
])('says nothing if the server %s', (_what, health, date) => {
  expect(sampleLoadingNote(health, date)).toBeNull();
});
