import { statfsSync } from 'node:fs';
import { describeFindings, diagnose } from '../doctor/diagnose.ts';
import { tryToWrite } from '../doctor/try-to-write.ts';

// What is wrong, in plain words, and what to do: npm run doctor. Changes nothing; ends with 1 where something is bad.
const PATIENCE = 5_000;

console.error('Looking; a store of gigabytes is read through, which takes a while ...');
const findings = await diagnose({
  variables: process.env,
  nodeVersion: process.versions.node,
  folders: { page: 'dist/web', lists: 'assets' },
  now: Date.now(),
  freeBytes(path) {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  },
  tryToWrite,
  async reach(url) {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE) });
    await response.body?.cancel();
    return response.status;
  },
});
console.log(describeFindings(findings));
if (findings.some(({ level }) => level === 'bad')) process.exitCode = 1;
