/** Words that puzzle readers, with what to write instead. The check rejects them in prose and comments. */
export const HOUSE_WORDS: Readonly<Record<string, string>> = {
  'a great many': 'a number, or "many"',
  anew: 'again',
  'at once': '"immediately" or "simultaneously"',
  'by then': 'the time that is meant',
  'for ever': 'a time, or "always"',
  'given back': '"returned" or "released"',
  'gives back': '"returns" or "releases"',
  'held back': '"kept for review", "delayed" or "queued"',
  'holds back': '"keeps for review", "delays" or "queues"',
  'in turn': '"round-robin" or "one after the other"',
  'let in': '"admitted" or "accepted"',
  nobody: 'who does not, or "no one" in messages to visitors',
  'taken for': '"read as"',
  told: '"notified", or what the message says',
  whoever: '"a person who" or "clients that"',
};
