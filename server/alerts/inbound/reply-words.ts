import { isOneEdit } from '../../../domain/edit-distance.ts';
import { foldText } from '../../../domain/fold-text.ts';

/**
 * The words by which replies are read, folded as `foldText` does. Languages that people in the UK write come
 * after English. Nothing here needs to be complete: what it misses gets a line of help with the button 'Stop all'.
 */
const TABLE = {
  /** A message that contains one of these is a stop, whatever else it says. */
  strong: `
    stop, stopall, unsubscribe, un subscribe, unsub, opt out, optout, opting out, remove me, remove us, remove my number, me
    off, us off, number off, off your list, me alone, us alone, go away, get lost, dont text, dont message, dont msg, dont
    contact, dont send me any, dont send me these, text again, me again, dont want these, dont want any, these anymore, no
    longer want, no longer need, no longer wish, interested anymore, no more messages, no more texts, no more alerts, cancel
    my alerts, cancel my subscription, cancel all, cancel these, alerts off, notifications off, these off, end all, wrong
    number, wrong person, sign up for this, never signed up, ask for these, withdraw, terminate, discontinue, block you,
    blocking you, report you, fuck off, piss off, arrete, arretez, desabonner, desinscrire, plus de messages, ne veux plus,
    aufhoren, hor auf, abmelden, abbestellen, keine nachrichten, keine weiteren, in ruhe, stoppen, afmelden, uitschrijven,
    basta, de baja, cancelar, no me escriban, dejen de, cancellami, disiscrivi, disiscrivimi, non voglio piu, parem, quero
    sair, nao me mandem, przestan, przestancie, wypisz, nie pisz, nie wysylajcie, opriti, opreste, dezabonare, nu mai vreau,
    nu ma mai, stopio, stopiwch, peidiwch, sustabdyti, durdurun, iptal et, стоп, отписаться, прекратите, не пишите, досить,
    відписатися, спрете, σταματα, στοπ, توقف, أوقف, إلغاء الاشتراك, بند کرو, mat bhejo, na bhejo, band karo, बंद करो, रोको,
    ਬੰਦ ਕਰੋ, বন্ধ করুন, bondho koro, બંધ કરો, நிறுத்து, jooji, 停止, 退订, 不要再发`,
  /** These are a stop in a message of at most `MAX_WEAK_WORDS` words, because they are common in others. */
  weak: `
    end, cancel, quit, enough, no more, not interested, no longer, stopped, pause, remove, dont want, dont need, dont send,
    too many, fed up, turn off, it off, mute, spam, give over, no quiero, no mas, fermate, assez, resilier, annuler, kein
    interesse, genug, kundigen, nicht mehr, opzeggen, nao quero, koniec, dosc, rezygnuje, zatrzymaj, nie chce, renunt,
    anulare, yeter, iptal, peidio, dim mwy, отмена, отказ, стига, αρκετα, كفى, إلغاء, بند, بس, बंद, ਬੰਦ, বন্ধ, બંધ, roko,
    vendam, 停, 取消, 不要`,
  /** These are a stop only as the whole message, without polite words, because they are common words or names. */
  alone: `
    finish, block, silence, out, para, pare, parar, alto, baja, ferma, cancela, salir, sair, remover, anular, beenden, gata,
    dur, paid, band, bas`,
  /** A message about data, or about deleting them. */
  data: `
    delete, deleted, deleting, deletion, erase, erased, erasure, wipe, gdpr, data, sar, dsar, subject access, privacy,
    forget me, forgotten, about me, personal information, personal details, my information, my info, my details, my records,
    do you hold, everything you hold, hold on me, have on me, my account, get my number, got my number, sell my number,
    share my number, ico, dsgvo, rgpd, mes donnees, meine daten, loschen, mis datos, moje dane, meus dados, miei dati,
    datele mele, fy nata`,
  /** The whole message, without polite words. */
  start: `
    start, unstop, un stop, restart, resume, unpause, resubscribe, re subscribe, subscribe, reactivate, opt in, turn on, switch on,
    bring, put on, continue, carry on`,
  yes: `
    yes, y, ye, yes yes, yep, yeah, yea, yup, yess, yh, ya, yas, aye, confirm, confirmed, yes confirm, correct, go ahead,
    sign, set, oui, ouais, si, ja, jawohl, sim, tak, da, haan, haa, haan ji, ji haan, evet, taip, ie, ydw, iawn,
    так, да, ναι, نعم, ہاں, جی ہاں, हाँ, जी हाँ, ਹਾਂ, ਹਾਂ ਜੀ, হ্যাঁ, હા, ஆம், بله, 是, 是的, 好`,
  /** With these, a message that begins with YES is none. */
  doubt: `no, not, dont, didnt, wont, cant, isnt, but, later, maybe, if`,
  no: `no, n, nope, nah, no no, no way, never, not me, non, nein, nie, nee, nao, na, nu, нет, ні, لا, نہیں, नहीं, 不, 不是`,
  /** A message that contains one of these. */
  list: `
    list, my alerts, alerts do i, alerts have i, alerts am i, alerts i have, alerts ive, holidays am i, hotels am i, am i watching,
    am i tracking, am i subscribed, signed up for, signed up to, you watching, you tracking, show alerts, current alerts, status`,
  help: `
    help, hi, hello, hey, hiya, info, commands, menu, options, who is this, whos this, who are you, what is this, whats this, what can i do, what can i say,
    how does this work, aide, hilfe, ayuda, ajuda, aiuto, pomoc, ajutor, cymorth, yardim, помощь, مساعدة, مدد, मदद, 帮助`,
  /** A message that contains one of these, and is no question, needs no answer. */
  thanks: `
    thanks, thank, thankyou, thx, thnx, tnx, ty, tysm, ta, cheers, merci, gracias, danke, obrigado, obrigada, grazie,
    dziekuje, dzieki, multumesc, diolch, shukria, shukriya, shukran, tesekkurler, aciu, спасибо, дякую, شكرا, شکریہ,
    धन्यवाद, 谢谢, booked, got it, no worries, no problem, no probs, all good, love it, good deal, great deal`,
  /** Words that change no command. A message of them alone needs no answer. */
  polite: `
    please, pls, plz, plis, thanks, thank, thankyou, thx, ta, cheers, you, u, very, much, so, ok, okay, k, kk, hi, hello, hey,
    hiya, dear, sir, madam, all, good, great, cool, nice, lovely, perfect, brilliant, excellent, amazing, fab, fabulous, fantastic,
    super, wow, lol, haha, ha, omg, x, xx, mate, love, now, just, oh, ah, aww, oops, sorry, sure, fine, well, done, noted,
    understood, can, could, would, i, id, like, want, to, my, me, the, them, it, alert, alerts, message, messages, again, back,
    up, sending, do, svp, por, favor, bitte, prosze, merci, gracias, danke, dziekuje, obrigado, obrigada`,
} as const;

type WordClass = keyof typeof TABLE;

/** Chinese has no spaces between words, so a phrase may stand anywhere in the text. */
const HAN = /\p{Script=Han}/u;

const CLASSES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(TABLE).map(([name, words]) => [name, new Set(words.split(',').map(foldText))]),
);

const phrasesOf = (wordClass: WordClass) => CLASSES.get(wordClass) ?? new Set<string>();
const POLITE = phrasesOf('polite');

const LONGEST_PHRASE = 6;

/** Whether a message of these words contains a phrase of the class. */
export function hasPhrase(wordClass: WordClass, words: readonly string[]): boolean {
  const phrases = phrasesOf(wordClass);
  return words.some((word, start) => {
    if (HAN.test(word)) return [...phrases].some((phrase) => HAN.test(phrase) && word.includes(phrase));
    const longest = words.slice(start, start + LONGEST_PHRASE);
    return longest.some((_, last) => phrases.has(longest.slice(0, last + 1).join(' ')));
  });
}

/** Whether a message of these words is a phrase of the class, apart from polite words. */
export function isPhrase(wordClass: WordClass, words: readonly string[]): boolean {
  const phrases = phrasesOf(wordClass);
  return phrases.has(words.join(' ')) || phrases.has(withoutPolite(words).join(' '));
}

export function withoutPolite(words: readonly string[]): string[] {
  return words.filter((word) => !POLITE.has(word));
}

/** Words of other meanings that are one typing slip away from a stop word. */
const NOT_MISSPELT = new Set(
  'shop step top stops stoop slop swop strop atop stow stomp sop stopped stopper'.split(' '),
);

/** Whether a word is one typing slip away from a stop word of the class. */
export function isMisspelt(wordClass: 'strong' | 'weak', word: string): boolean {
  if (word.length < 3 || NOT_MISSPELT.has(word)) return false;
  for (const phrase of phrasesOf(wordClass))
    if ((phrase === 'stop' || /^[a-z]{6,}$/.test(phrase)) && isOneEdit(word, phrase)) return true;
  return false;
}
