import { readPhoneStrings } from './phone-strings.ts';

// 1,000,000 phone strings: what docs/alerts.md gives, and the long form of alerts-phone-strings.test.
const { wrong, ...report } = readPhoneStrings(1_000_000, 2);
console.table(report);
for (const words of wrong.slice(0, 20)) console.error(words);
if (wrong.length > 0) process.exit(1);
