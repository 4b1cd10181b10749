import { expect, it } from 'vitest';
import { sampleLoadingNote } from './sample-loading-note.ts';

const loadingThrough = (throughDay: string | null) => ({
  status: 'ok',
  inventory: { loading: true, throughDay, offers: 9 },
});

it('names the days that are not loaded yet', () => {
  expect(sampleLoadingNote(loadingThrough('2026-12-20'), '2026-12-21')).toBe(
    'The sample is still loading, and departures after 20th December 2026 are missing so far. Search again in a minute or two.',
  );
  expect(sampleLoadingNote(loadingThrough(null), '2026-12-21')).toBe(
    'The sample is still loading. Search again in a minute or two.',
  );
});

it.each([
  ['whose day is loaded', loadingThrough('2026-12-20'), '2026-12-20'],
  ['that has loaded', { inventory: { loading: false, throughDay: '2026-12-20' } }, '2026-12-21'],
  ['that says an impossible day', loadingThrough('tomorrow'), '2026-12-21'],
  ['that says nothing of its inventory', { status: 'ok' }, '2026-12-21'],
])('says nothing of a server %s', (_what, health, date) => {
  expect(sampleLoadingNote(health, date)).toBeNull();
});
