import { describe, expect, it } from 'vitest';
import { loggedPath } from './logged-path.ts';

describe('loggedPath', () => {
  it.each([
    ['/intents/07700900300', '/intents/[number]'],
    ['/intents/+44%207700%20900300/x?y=1', '/intents/[number]/x'],
    ['/intents/(07700)-900-300', '/intents/[number]'],
    ['/%30%37%37%30%30%39%30%30%33%30%30', '/[number]'],
    ['/%zz/%3077%300900300', '/%zz/[number]'],
    ['/%2530%2537%2537%2530%2530%2539%2530%2530%2533%2530%2530', '/[number]'],
    ['/07700,900*300', '/[number]'],
    ['/07700%C2%B7900%E2%80%8B300', '/[number]'],
    ['/０７７００９００３００', '/[number]'],
    ['/%EF%BC%90%EF%BC%97700900300', '/[number]'],
    ['/my-alerts/jane.doe+x@example.com/stop', '/my-alerts/[email]/stop'],
    ['/my-alerts/jane%40example.com?to=jane@example.com', '/my-alerts/[email]'],
    ['/%6Aane%2540example%252Ecom', '/[email]'],
    ['/mailto:%22jane%20doe%22%25252540example.com;v=1', '/[email]'],
    ['/jane＠example.com', '/[email]'],
    ['/jörg%EF%BC%A0münchen.example/07700900300', '/[email]/[number]'],
    ['/%zz/jane%40localhost', '/%zz/[email]'],
    [`/${'x'.repeat(193)}07700900300`, `/${'x'.repeat(193)}[numbe`],
  ])('redacts %s', (url, path) => {
    expect(loggedPath(url)).toBe(path);
  });

  it.each([
    '/',
    '/results',
    '/data/departures-2027-05-12.csv',
    '/assets/index-B1x23456.js',
    '/a%20b',
    '/%',
    '/@',
    '/@/a',
  ])('leaves %s as it is', (path) => {
    expect(loggedPath(`${path}?number=07700900300`)).toBe(path);
  });
});
