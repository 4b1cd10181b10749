import { expect, it } from 'vitest';
import { nameInMessage } from './name-in-message.ts';

it.each([
  'Hotel Sol',
  'Sol y Mar 4*',
  'St. George Bay, Suites & Spa',
  'D.O.C. Suites',
  "B&B Hôtel L'Île-aux-Oiseaux",
  'Ξενοδοχείο Ήλιος',
  '海 Resort 🌴',
])('leaves %s as it is', (name) => {
  expect(nameInMessage(name)).toBe(name);
});

it.each([
  ['https://evil.example/login', 'https evil. example/login'],
  ['www.evil.example', 'www. evil. example'],
  ['Hotel at evil.co', 'Hotel at evil. co'],
  ['somebody@evil.example', 'somebody@evil. example'],
  ['evil。example', 'evil. example'],
  ['evil.пример', 'evil. пример'],
  ['http://192.168.10.10/', 'http 192. 168. 10. 10/'],
  ['*Best* ~price~ _ever_ ```now```', 'Best price ever now'],
  ['4*plus* 5*', '4*plus 5*'],
  ['> quoted', 'quoted'],
  ['two\n\nlines', 'two lines'],
  ['St.George', 'St. George'],
])('makes %j neither a link nor markup', (name, written) => {
  expect(nameInMessage(name)).toBe(written);
});

it('cuts a long name only between characters', () => {
  expect(nameInMessage('😀'.repeat(61))).toBe(`${'😀'.repeat(59)}…`);
  expect(nameInMessage(`${'a'.repeat(58)} b c`)).toBe(`${'a'.repeat(58)}…`);
});
