import { foldText } from '../../../../domain/fold-text.ts';

/**
 * Stop, yes and help in languages that people in the UK write. A message of only these words is a command. A
 * stop word among other words gets our question, as does all other text that is not English.
 */
const TABLE: Readonly<Record<string, { stop: string; yes: string; help: string }>> = {
  Polish: {
    stop: 'przestań, przestańcie, przestan pisac, zatrzymaj, koniec, dość, wypisz, wypiszcie, rezygnuję, anuluj, zakończ, usuń mnie, nie chcę, nie pisz',
    yes: 'tak, potwierdzam, zgoda',
    help: 'pomoc, pomocy',
  },
  Romanian: {
    stop: 'opriți, oprește, oprire, opriti mesajele, gata, dezabonare, dezabonați, dezabonează, anulare, renunț, nu mai vreau, nu mai trimiteti',
    yes: 'da, confirm, sigur',
    help: 'ajutor',
  },
  Punjabi: {
    stop: 'ਬੰਦ, ਬੰਦ ਕਰੋ, ਰੋਕੋ, ਬੱਸ, ਰੁਕੋ, band karo, band kar, bas karo, roko',
    yes: 'ਹਾਂ, ਹਾਂ ਜੀ, haan ji',
    help: 'ਮਦਦ, madad',
  },
  Urdu: {
    stop: 'بند کرو, بند کریں, بند, روکو, روکیں, بس, بس کرو, mat bhejo, message mat bhejo, ruko, khatam karo, band karein',
    yes: 'ہاں, جی ہاں, جی, haan, jee, ji haan',
    help: 'مدد, madad karo',
  },
  Hindi: { stop: 'बंद, बंद करो, बंद करें, रोको, रुको, बस', yes: 'हाँ, हां, जी हाँ', help: 'मदद, सहायता' },
  Bengali: {
    stop: 'বন্ধ, বন্ধ করুন, বন্ধ করো, থামুন, থামাও, থামো, bondho, bondho koro, bondho korun, thamun, thamo',
    yes: 'হ্যাঁ, জি, hae, ha',
    help: 'সাহায্য, shahajjo, sahajjo',
  },
  Gujarati: {
    stop: 'બંધ, બંધ કરો, રોકો, બસ, bandh karo, bandh, roko',
    yes: 'હા, haa, ha ji',
    help: 'મદદ',
  },
  Tamil: { stop: 'நிறுத்து, நிறுத்துங்கள், niruthu, niruthungal, vendam', yes: 'ஆம், aam', help: 'உதவி' },
  Arabic: {
    stop: 'توقف, توقفوا, قف, أوقف, إيقاف, الغاء, إلغاء, إلغاء الاشتراك, كفى, خلاص, لا تراسلني, waqif, tawaqaf, khalas, kafi, ilgha',
    yes: 'نعم, أجل, ايوه, naam, aiwa',
    help: 'مساعدة, ساعدني, musaada',
  },
  Persian: { stop: 'بس کن, لغو, نکن, توقف کن', yes: 'بله, آره, baleh', help: 'کمک' },
  Portuguese: {
    stop: 'pare, parar, parem, para com isso, cancelar, cancela, chega, sair, remover, desinscrever, anular, não quero, nao quero mais',
    yes: 'sim, confirmo, claro',
    help: 'ajuda',
  },
  Spanish: {
    stop: 'parar, para, para ya, paren, alto, basta, baja, dar de baja, darme de baja, cancelar, cancela, detener, deténgase, salir, no más, no quiero',
    yes: 'sí, confirmo, vale, claro',
    help: 'ayuda',
  },
  Italian: {
    stop: 'ferma, fermate, fermatevi, fermati, basta, smettila, smettetela, annulla, annullare, cancellami, disiscrivi, disiscrivimi, disdire, disdetta',
    yes: 'sì, confermo, certo',
    help: 'aiuto',
  },
  French: {
    stop: 'arrêt, arrête, arrêtez, arrêter, stopper, stoppez, désabonner, désabonnement, désabonnez moi, se désabonner, désinscrire, désinscription, me désinscrire, résilier, annuler, assez, ça suffit',
    yes: 'oui, ouais, confirme, je confirme',
    help: 'aide',
  },
  German: {
    stop: 'stopp, stoppen, aufhören, hör auf, hören sie auf, abmelden, abmeldung, abbestellen, kündigen, kündigung, austragen, beenden, schluss, genug, nicht mehr schreiben, keine nachrichten mehr',
    yes: 'ja, ya, jawohl, bestätige',
    help: 'hilfe',
  },
  Dutch: { stop: 'stoppen, afmelden, uitschrijven, opzeggen, hou op', yes: 'ja, akkoord', help: 'hulp' },
  Turkish: {
    stop: 'dur, durdur, durdurun, iptal, iptal et, yeter, çık, abonelikten çık, yazmayın, istemiyorum',
    yes: 'evet, onaylıyorum, tamam',
    help: 'yardım, imdat',
  },
  Welsh: {
    stop: 'stopio, stopiwch, stopia, peidiwch, peidio, paid, dim mwy, dim rhagor, rhowch y gorau iddi, dad danysgrifio',
    yes: 'ie, ydw, iawn, cadarnhau',
    help: 'cymorth, helpwch',
  },
  Lithuanian: { stop: 'sustabdyti, sustok, atsisakyti, nustokite', yes: 'taip', help: 'pagalba' },
  Russian: {
    stop: 'стоп, хватит, отписаться, отпишите, прекратите, не пишите, отмена, остановите',
    yes: 'да, подтверждаю',
    help: 'помощь, помогите',
  },
  Ukrainian: {
    stop: 'досить, припиніть, відписатися, зупиніть, не пишіть',
    yes: 'так, підтверджую',
    help: 'допомога',
  },
  Bulgarian: { stop: 'спри, спрете, стига, отказ', yes: 'да', help: 'помощ' },
  Greek: { stop: 'σταμάτα, σταματήστε, στοπ, διακοπή, αρκετά, φτάνει', yes: 'ναι', help: 'βοήθεια' },
  Chinese: {
    stop: '停, 停止, 退订, 取消, 不要, 取消订阅, 停止發送',
    yes: '是, 是的, 好, 确认',
    help: '帮助, 幫助',
  },
  Somali: { stop: 'jooji, joojiya, iska daa', yes: 'haa', help: 'caawimaad' },
};

const phrasesOf = (field: 'stop' | 'yes' | 'help') =>
  new Set(Object.values(TABLE).flatMap((words) => words[field].split(', ').map(foldText)));

const STOP = phrasesOf('stop');
const YES = phrasesOf('yes');
const HELP = phrasesOf('help');

/** Words of any language that are ignored in commands. */
const POLITE = new Set(
  foldText(
    `please pls plz thanks thank you thx now all bot no yes ok svp stp merci s il vous te plait bonjour moi les bitte danke
    jetzt alles mich por favor gracias ya obrigado obrigada per favore grazie prosze dziekuje juz va rog multumesc te
    lutfen tesekkurler plis diolch os gwelwch yn dda eto shukriya meherbani karke kripya ji min fadlak shukran me mi
    bot agora subito sofort immediatement todo tudo tutto messages mensajes mensagens messaggi nachrichten sms`,
  ).split(' '),
);

/** Matches folded words with the table; null if it has none of them. */
export function readElsewhere(
  words: readonly string[],
  isQuestion: boolean,
): 'stop' | 'yes' | 'help' | 'ask' | null {
  const rest = words.filter((word) => !POLITE.has(word)).join(' ');
  const said = words.join(' ');
  const isOf = (phrases: ReadonlySet<string>) => phrases.has(rest) || phrases.has(said);
  if (isOf(STOP) || rest === 'stop') return isQuestion ? 'ask' : 'stop';
  if (isOf(YES)) return isQuestion ? null : 'yes';
  if (isOf(HELP)) return 'help';
  return [...STOP].some((phrase) => ` ${said} `.includes(` ${phrase} `)) ? 'ask' : null;
}
