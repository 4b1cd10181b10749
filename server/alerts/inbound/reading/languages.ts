/** What a language's speakers write, folded as `foldMessage` folds it. A phrase is matched anywhere in a message. */
export interface Language {
  /** A message of such words and `polite` ones alone. */
  stopWords: readonly string[];
  stopPhrases: readonly RegExp[];
  /** Phrases with a stop word that mean something else. They are taken out before anything is matched. */
  otherMeanings: readonly RegExp[];
  deletePhrases: readonly RegExp[];
  yesWords: readonly string[];
  noWords: readonly string[];
  startWords: readonly string[];
  listPhrases: readonly RegExp[];
  helpPhrases: readonly RegExp[];
  /** Words that change nothing beside a command. */
  polite: readonly string[];
}

const list = (words: string): string[] => words.trim().split(/\s+/);

const FRENCH: Language = {
  stopWords: list(
    'arret arrete arretez arreter stopper stoppez desabonner desabonnement desabo desinscrire desinscription resilier resiliation annuler annulez desactiver desactivez assez supprimer retirer fin',
  ),
  stopPhrases: [
    /\b(desabonne\w*|desinscri\w*|desinscrivez)\b/,
    /\b(arretez|arrete|arreter|cessez|stoppez) (de|d|les|ces|ca|cela|tout|tous|svp|immediatement|maintenant|ce|vos|mes|l)\b/,
    /\b(ne|n) (m|me|nous)? ?\w+ plus\b/,
    /\bne m\w+ (plus|pas)\b|\bne plus (m\w*|me|recevoir|etre|envoyer|avoir)\b/,
    /\b(ne )?(veux|veut|voulons|souhaite|desire) (plus|pas|aucun) (de |d |recevoir |etre |vos |ces )/,
    /\bne veux plus\b|\bn\w*ez plus\b/,
    /\bplus de (messages?|messages|sms|alerts|alertes?|notifications|pub|publicites?|textos)\b/,
    /\b(retirez|enlevez|supprimez|effacez|retirer|supprimer|enlever) (moi|mon numero|ce numero|mon tel\w*)\b/,
    /\blaisse(z|r)? moi (tranquille|en paix)\b/,
    /\b(fichez|foutez|fiche|fous) moi la paix\b/,
    /\bpas (du tout )?intere\w+\b/,
    /\bplus intere\w+\b/,
    /\b(ca|cela) suffit\b/,
    /\bannule[rz]? (l |les |mon |mes |ces )?(abonnement|alerts?|alertes?|inscription|subscription|notifications|tout)\b/,
    /\b(mauvais|faux) numero\b/,
    /\bmettre fin\b/,
  ],
  otherMeanings: [
    /\b(l |un |d |sans |en )?arrets? (de |du |d )?(bus|tram|metro|autobus|car|navette)\b/g,
    /\barret de (bus|tram|metro)\b/g,
    /\bsans (arret|escale)\b/g,
    /\bn \w*arrete\w* (pas|jamais)\b|\bne (vous|t) arrete\w* (pas|surtout pas)\b|\bne pas arreter\b/g,
    /\bannul\w+ (la |ma |une |le |mon )?(reservation|vol|sejour|voyage|vacances)\b/g,
    /\b(la )?fin (du|de|d|des|janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre)\b/g,
  ],
  deletePhrases: [
    /\b(supprim\w+|effac\w+|detrui\w+) (toutes )?(mes|nos) (donnees|infos|informations|coordonnees)\b/,
    /\bsuppression de mes donnees\b|\bdroit a l (oubli|effacement)\b|\beffacer mes donnees\b/,
  ],
  yesWords: list('oui ouais daccord confirme parfait'),
  noWords: list('non nan pas merci'),
  startWords: list('commencer reprendre reabonner reactiver redemarrer'),
  listPhrases: [
    /^(ma |la |mes |mi |moja |meine )?(liste|alertes|alerts|list|lista)$/,
    /\bque (suis je|surveillez vous)\b/,
    /\bmes alert(e|)s\b$/,
  ],
  helpPhrases: [
    /\b(aide|qui (etes|est) vous|qui (etes vous|est ce|c est)|c ?est (quoi|qui)|comment ca marche)\b/,
  ],
  polite: list(
    'svp stp merci bonjour salut bonsoir s il vous te plait cordialement maintenant tout tous de suite moi les ces messages alertes alerts sms immediatement je veux voudrais m me vos',
  ),
};

const GERMAN: Language = {
  stopWords: list(
    'stopp stoppen stoppt abmelden abmeldung abbestellen abbestellung kundigen kundigung aufhoren aufhoeren schluss beenden austragen abbrechen abschalten ausschalten deaktivieren halt ende genug stornieren loschen loeschen stopt',
  ),
  stopPhrases: [
    /\b(hor|hoer|horen|hoeren|hort) (bitte |sie |jetzt |endlich |mal )*(auf)\b/,
    /\b(melden|melde|tragen|trage|trag|meldet) (sie )?(mich|uns) (bitte |sofort |jetzt )*(ab|aus)\b/,
    /\b(bestell|bestelle) .*\bab\b/,
    /\b(keine|keinerlei) (weiteren |weitere |mehr )*(nachrichten|sms|benachrichtigungen|alerts|werbung|mitteilungen|infos|whatsapps|angebote)\b/,
    /\b(nichts|nicht|nix) mehr (schreiben|senden|schicken|kontaktieren|anschreiben|haben|erhalten|bekommen|horen|texten|von)\b/,
    /\b(schreib|schreiben|schickt?|schicken|sende|senden|kontaktieren) (sie )?(mir|mich|uns) (bitte )?(nicht|nichts|keine|nie) ?(mehr)?\b/,
    /\b(mochte|moechte|will|wollen|brauche) (das |diese |dies |eure |ihre |nachrichten )*(nicht|nichts|keine|nix) (mehr|weiteren?|nachrichten|alerts|werbung)\b/,
    /\b(will|mochte|moechte) (das|dies) nicht\b/,
    /\b(lasst?|lassen) (sie )?(mich|uns) (bitte )?in (ruhe|frieden)\b/,
    /\b(losch|loesch|losche|loschen|loeschen|entfernen|entferne|streichen) (sie )?(bitte )?(mich|meine (handy)?(nummer|number)|diese (nummer|number)|meine telefonnummer)\b/,
    /\b(meine|diese) (nummer|number) (bitte )?(loschen|loeschen|entfernen)\b/,
    /\b(kein|keinerlei|nicht( mehr)?) intere\w+\b/,
    /\bnicht (mehr )?interessiert\b/,
    /\bfalsche (nummer|number)\b/,
    /\b(alles|alle|nachrichten|alerts|benachrichtigungen|alarme?|abo|newsletter|preisalarme?) (bitte )?(stoppen|abbestellen|abmelden|kundigen|beenden|ausschalten|abschalten|deaktivieren|stornieren)\b/,
    /\b(mich|uns) (bitte )?(abmelden|austragen)\b/,
    /\bschluss (damit|jetzt)\b|\bes reicht\b|\breicht jetzt\b/,
  ],
  otherMeanings: [
    /\b(zwischen|non|ohne|mit|ein|einen|keinen|einem)? ?(zwischenstopp?s?|nonstop)\b/g,
    /\b(mit|ohne|ein|einen|einem|keinen|wie viele) (stopps?|halt)\b/g,
    /\bbushaltestelle\b/g,
    /\b(nicht|niemals|bloss nicht|bitte nicht) (aufhoren|aufhoeren|stoppen|abmelden|kundigen)\b/g,
    /\b(hor|hort|horen sie) (bitte |ja |bloss )?nicht auf\b/g,
    /\bende (mai|juni|juli|august|september|oktober|november|dezember|januar|februar|marz|april|des|der)\b/g,
    /\b(reise|urlaub|buchung|hotel|flug|kostenlos|kostenfrei) (stornieren|kundigen)\b/g,
  ],
  deletePhrases: [
    /\b(losch\w*|loesch\w*|entfern\w*) (sie )?(bitte )?(alle |all )?(meine|unsere) (personlichen |persoenlichen )?(daten|infos|informationen)\b/,
    /\b(meine|alle) (personlichen |persoenlichen )?daten (bitte )?(loschen|loeschen|entfernen)\b|\bdatenloschung\b|\bdsgvo\b/,
  ],
  yesWords: list('ja jawohl jo jap klar gerne einverstanden bestatige passt'),
  noWords: list('nein ne nee nicht nein danke'),
  startWords: list('starten anmelden fortsetzen wieder'),
  listPhrases: [
    /^(meine )?(liste|alarme|preisalarme)$/,
    /\bwas beobachte(n)? (ich|sie)\b/,
    /\bmeine (alerts|alarme)\b$/,
  ],
  helpPhrases: [/\b(hilfe|wer (ist das|seid ihr|sind sie|schreibt)|was ist das|wie geht das)\b/],
  polite: list(
    'bitte danke hallo hi guten tag morgen abend sofort jetzt alles alle endlich mal sie mich mir ich nachrichten das diese die den vielen dank grusse gruss lg mfg mit freundlichen grussen mochte moechte will bot kann',
  ),
};

const SPANISH: Language = {
  stopWords: list(
    'parar para pare paren parad alto basta baja bajas detener detente detenga detengan cancelar cancele cancelen cancela anular eliminar suprimir salir desuscribir desuscribirme desuscribirse desuscripcion terminar suficiente termina desactivar borrar fin',
  ),
  stopPhrases: [
    /\b(dar(me|se|nos)?|deme|denme|dame|dadme|darse) de baja\b/,
    /\bquiero (la |mi )?baja\b/,
    /\bdesuscri\w+|\bdesapunt\w+/,
    /\bde(je|jen|ja|jad) de (enviar\w*|mandar\w*|escribir\w*|molestar\w*|contactar\w*|llamar\w*|\w+rme)\b/,
    /\bno (me )?(envi\w+|mand\w+|escrib\w+|molest\w+|contact\w+|llam\w+) (mas|nada|nunca)\b/,
    /\bno (me )?(envi(en|e|es|eis)|mand(en|e|es|eis)|escrib(an|a|as|ais)|molest(en|e|es|eis)|contact(en|e)|contacted)\b/,
    /\bno (quiero|deseo|queremos|necesito) (mas|recibir|estos|estas|este|esto|nada|seguir recibiendo|que me)\b/,
    /\bya no (quiero|deseo|me interesa\w*|estoy interesad\w+|necesito)\b/,
    /\bno me interesa\w*\b|\bno estoy interesad\w+\b|\bsin interes\b/,
    /\bno mas (messages|mensajes|alerts|alertas|avisos|notificaciones|whatsapps?|por favor|gracias)\b|^no mas$/,
    /\b(borr\w+|elimin\w+|quit\w+|sac\w+|saquen\w*|retir\w+) (mi|este) (numero|telefono|movil)\b/,
    /\b(elimin|borr|quit|saqu|sac)(enme|eme|ame|adme|arme|ar me) ?(de|del|la|ya)?\b/,
    /\bde(jen|je|ja|jad)me en paz\b/,
    /\b(cancel\w*|par\w+|deten\w+|detener|anul\w+|desactiv\w+|quit\w+) (las |los |mis |todas |todos |mi |la |estas |estos |todas las |todos los )?(alerts|alertas|avisos|messages|mensajes|notificaciones|suscripcion|subscription|todo|eso|esto|ya)\b/,
    /\bnumero equivocado\b|\bse (ha equivocado|equivoco) de numero\b|\bno soy yo\b/,
  ],
  otherMeanings: [
    /\bparadas? (de|del)? ?(autobus|bus|metro|taxi|tranvia)?\b/g,
    /\bno (pares|paren|pareis|pare|cancelen|canceles|cancele|dejen de (enviar|mandar)\w*)\b/g,
    /\bsin (parar|escalas?)\b/g,
    /\bpara (\w+)/g,
    /\b(salir|salida) (de|desde|el|en|a|del)\b/g,
    /\bcancel\w+ (el |la |un |una |mi )?(viaje|reserva|vuelo|hotel|gratis|gratuita)\b/g,
    /\bcancelacion\b/g,
    /\b(temporada )?baja (temporada|de precio)\b|\btemporada baja\b/g,
    /\bfin(ales)? de\b/g,
  ],
  deletePhrases: [
    /\b(borr\w+|elimin\w+|suprim\w+) (todos |todas )?(mis|los) (datos|informacion)( personales)?\b/,
    /\bderecho (al olvido|de supresion)\b/,
  ],
  yesWords: list('si sip vale claro confirmo acepto perfecto bueno'),
  noWords: list('no nop gracias'),
  startWords: list('empezar comenzar iniciar reanudar alta'),
  listPhrases: [
    /^(mi |la |mis )?(lista|alertas)$/,
    /\bque (estoy vigilando|alertas tengo|alerts tengo)\b/,
    /\bmis alert(a|)s\b$/,
  ],
  helpPhrases: [/\b(ayuda|quien (es|eres|sois|son)|que es esto|como funciona)\b/],
  polite: list(
    'por favor porfavor porfa gracias hola buenos buenas dias tardes noches ya ahora todo todos todas mensajes messages alertas alerts inmediatamente esto eso quiero me los las saludos puede pueden de la',
  ),
};

const POLISH: Language = {
  stopWords: list(
    'zatrzymaj zatrzymac przestan przestancie przestac wypisz wypisac wypisuje rezygnuje rezygnacja anuluj anulowac koniec dosc dosyc wylacz wylaczyc wystarczy zakoncz zakonczyc odsubskrybuj usun odwolaj',
  ),
  stopPhrases: [
    /\b(prosze )?(wypisz|wypiszcie|wypisac|wypisanie|wypisujcie)\b( mnie| sie| z)?/,
    /\brezygnuje( z)?\b|\brezygnacja z\b/,
    /\b(przestan|przestancie|prosze przestac) (do mnie |mi |prosze |juz |mnie )*(pisac|wysylac|spamowac|smsowac|nekac|meczyc|przesylac)\b/,
    /\bnie (pisz|piszcie|wysylaj|wysylajcie|wysylac|pisac|przysylaj|przysylajcie|kontaktuj|kontaktujcie|spamuj|spamujcie|dzwoncie)\b/,
    /\bprosze (juz )?(nie|o nie) (pisac|wysylac|wysylanie|przysylac|kontaktowac|niewysylanie)\b/,
    /\bnie (chce|chcemy|zycze sobie|potrzebuje) (juz |tego |tych |od was |dostawac |otrzymywac |wiecej |zadnych |takich |waszych )+/,
    /\b(juz )?nie chce (tego|tych|juz)?\b$/,
    /\b(usun|usuncie|skasuj|wykresl|wykreslcie|prosze usunac|usunac) (moj|ten|mnie|nasz)( numer| number)?( telefonu)?\b/,
    /\b(dajcie|daj|dac) (mi |nam )?(swiety )?spokoj\b|\bzostaw(cie)? mnie w spokoju\b/,
    /\b(nie jestem|juz nie|nie) zainteresowan\w+\b|\bnie interesuje mnie\b|\bnie interesuja mnie\b/,
    /\b(zadnych|koniec) (wiecej )?(wiadomosci|alertow|powiadomien|smsow)\b|\bani jednej wiadomosci\b/,
    /\b(wylacz|wylaczcie|zatrzymaj|zatrzymajcie|anuluj|anulujcie|zakoncz|stop) (prosze |te |wszystkie |moje |mi )*(alerty|powiadomienia|wiadomosci|wszystko|subskrypcje|smsy)\b/,
    /\b(zly|pomylka|bledny) (numer|number)\b|\bpomylka\b|\bdosc tego\b/,
  ],
  otherMeanings: [
    /\bprzystan\w+\b/g,
    /\bnie (przestawaj|przestawajcie|wypisuj|wypisujcie|zatrzymuj|zatrzymujcie|wylaczaj|anuluj|anulujcie)\w*\b/g,
    /\b(koniec|konca|koncem) (maja|czerwca|lipca|sierpnia|wrzesnia|pazdziernika|listopada|grudnia|stycznia|lutego|marca|kwietnia|roku|sezonu|miesiaca)\b/g,
    /\b(anulowac|anuluj|odwolac|rezygnowac z) (rezerwacj\w+|lot\w*|wyciecz\w+|hotel\w*|podroz\w*)\b/g,
    /\bdosc (drogo|tanio|daleko|dobr\w+|blisko)\b/g,
  ],
  deletePhrases: [
    /\b(usun|usuncie|skasuj|skasujcie|usunac|usuniecie) (prosze )?(wszystkie )?(moje|moich) (dane|danych)\b/,
    /\b(rodo|prawo do bycia zapomnianym)\b/,
  ],
  yesWords: list('tak potwierdzam zgoda jasne pewnie dobrze'),
  noWords: list('nie dziekuje'),
  startWords: list('wznow rozpocznij zacznij'),
  listPhrases: [/^(moja |pokaz )?lista$|^(moje )?alerty$/, /\bco obserwuje\b|\bmoje alerty\b$/],
  helpPhrases: [/\b(pomoc|pomocy|kto to|kim jestes(cie)?|co to( jest)?)\b/],
  polite: list(
    'prosze dzieki dziekuje czesc dzien dobry natychmiast teraz juz wszystko to tych mnie sie z wiadomosci alerty pozdrawiam chce te od bardzo',
  ),
};

const PORTUGUESE: Language = {
  stopWords: list(
    'parar pare parem cancelar cancele cancelem sair descadastrar descadastre chega remover encerrar terminar desinscrever desativar interromper desligar anular basta',
  ),
  stopPhrases: [
    /\bdescadastr\w+|\bdesinscrev\w+|\bdesinscric\w+/,
    /\b(pare|parem|para|deixem|deixe) (de|com|os|as) ?(me |mandar|enviar|escrever|mensagens|messages|incomodar|contactar|contatar|spam)/,
    /\bnao (me )?(mand\w+|envi\w+|escrev\w+|contat\w+|contact\w+|incomod\w+|chatei\w+) (mais|nada)\b/,
    /\bnao (me )?(mande|mandem|envie|enviem|escrevam|escreva|incomodem|contactem|contatem)\b/,
    /\bnao (quero|desejo|queremos|preciso) (mais|receber|estas|essas|isto|isso|nada|continuar a receber)\b/,
    /\bja nao quero\b/,
    /\bnao (tenho (nenhum )?intere\w+|estou interessad\w+|me interessa\w*)\b|\bsem interesse\b/,
    /\bchega de (mensagens|alertas|alerts|spam|messages)\b/,
    /\b(tir\w+|remov\w+|retir\w+|apag\w+|elimin\w+) (me |o )?(o )?(meu|este) (numero|telefone|contacto|contato|telemovel|nome)\b/,
    /\b(tirem|tire|removam|remova|retirem) me\b|\bme (tire|tirem|remova|removam|retirem)\b/,
    /\b(deixem|deixe|me deixem?) (me )?em paz\b/,
    /\b(cancel\w+|par\w+|deslig\w+|desativ\w+|encerr\w+) (os |as |meus |minhas |todos |todas |todos os |o )?(alertas|alerts|mensagens|avisos|notificacoes|inscricao|subscricao|subscription|tudo|isto|isso)\b/,
    /\bnumero errado\b|\bsem mais mensagens\b/,
  ],
  otherMeanings: [
    /\b(paragem|parada|ponto) de (autocarro|onibus|metro|taxi)\b/g,
    /\bsem (escalas?|parar)\b/g,
    /\bnao (pare|parem|cancelem|cancele)\b/g,
    /\bcancel\w+ (a |o |uma |minha )?(reserva|viagem|voo|hotel|gratis|gratuito)\b/g,
    /\bsair (de|do|da|no|em)\b/g,
    /\bchega (ao|a|em|no|as)\b/g,
  ],
  deletePhrases: [
    /\b(apag\w+|elimin\w+|exclu\w+|delet\w+|remov\w+) (todos )?(os )?(meus|minhas) (dados|informacoes)\b/,
    /\blgpd\b/,
  ],
  yesWords: list('sim claro confirmo aceito certo'),
  noWords: list('nao obrigado obrigada'),
  startWords: list('comecar iniciar retomar'),
  listPhrases: [/\b(os )?meus alert(a|)s\b$/, /\bo que estou a (seguir|acompanhar)\b/],
  helpPhrases: [/\b(ajuda|quem (e|sao|fala)|o que e isto|o que e isso|como funciona)\b/],
  polite: list(
    'por favor obrigado obrigada ola oi bom dia boa tarde noite ja agora tudo mensagens alertas alerts isso isto imediatamente quero me os as',
  ),
};

const ROMANIAN: Language = {
  stopWords: list(
    'opriti opreste oprire dezabonare dezaboneaza dezabonez anulati anuleaza anulare gata ajunge renunt inceteaza incetati stop sterge stergeti',
  ),
  stopPhrases: [
    /\bdezabon\w+/,
    /\bnu (imi |mi |ne )?mai (vreau|trimite\w*|trimiteti\w*|scrie\w*|scrieti|doresc|contactati|contacta\w*|primi\w*|am nevoie|deranja\w*)\b/,
    /\bnu (doresc|vreau) (sa primesc|aceste|mesaje|alerts|alerte)\b/,
    /\b(opriti|opreste|anulati|anuleaza|incetati) (va rog )?(toate )?(mesajele|alertele|notificarile|tot|totul|sa|asta|abonamentul)\b/,
    /\b(sterge\w*|scoate\w*|elimina\w*) (va rog )?(numarul|nr|acest numar)( meu)?\b/,
    /\bscoate(ti)? ma\b|\bscoateti ma\b/,
    /\blasa(ti)? ma in pace\b|\blasati ma\b/,
    /\bnu (sunt interesat\w*|ma intereseaza)\b/,
    /\b(gata|ajunge) cu (mesajele|alertele)\b|\bfara mesaje\b|\bnumar gresit\b/,
  ],
  otherMeanings: [
    /\bstati\w+ de (autobuz|metrou)\b/g,
    /\bnu (va opriti|te opri|opriti|anulati)\b/g,
    /\bfara (escala|oprire)\b/g,
    /\bgata (de|sa|cand)\b/g,
  ],
  deletePhrases: [/\b(sterge\w*|elimina\w*) (va rog )?(toate )?(datele|informatiile)( mele)?\b/],
  yesWords: list('da confirm sigur'),
  noWords: list('nu multumesc'),
  startWords: list('incepe reia porneste'),
  listPhrases: [/^(lista|alertele)( mea| mele)?$/],
  helpPhrases: [/\b(ajutor|cine (esti|sunteti|e)|ce este asta|ce e asta)\b/],
  polite: list('va rog te multumesc mersi buna ziua salut acum imediat tot totul mesajele alertele mesaje'),
};

const WELSH: Language = {
  stopWords: list('stopiwch stopio stopia peidiwch paid canslo diddymu gorffen digon tynnu'),
  stopPhrases: [
    /\bstopiwch\b|\bstopior? (negeseuon|rhybuddion|rhain|hyn|cyfan)\b/,
    /\bdad ?danysgrifi\w*/,
    /\bdim mwy( o)?( negeseuon| rhybuddion| diolch)?\b/,
    /\b(peidiwch|paid|peidio) a(g)? \w+/,
    /\bdydw i ddim (eisiau|isio|moyn)|\bdw i ddim (eisiau|isio|moyn)|\bddim (eisiau|isio|moyn) (mwy|rhain|hwn|y rhain|negeseuon)/,
    /\b(tynnwch|dilewch) (fi|fy rhif|y rhif)\b/,
    /\bgadewch lonydd\b|\brhif anghywir\b|\bdim diddordeb\b/,
    /\b(canslwch|canslo|diffodd|diffoddwch|stopio) (y |yr |fy )?(rhybuddion|negeseuon|cyfan|hyn|popeth)\b/,
  ],
  otherMeanings: [/\b(peidiwch|paid) a stopio\b/g, /\barhosfan (bws|bysiau)\b|\bsafle bws\b/g],
  deletePhrases: [/\b(dilewch|dileu|dileuwch) (fy|fy holl) (nata|data|ngwybodaeth)\b/],
  yesWords: list('ie ydw oes iawn ydy'),
  noWords: list('na nage nac ydw dim diolch'),
  startWords: list('dechrau ailddechrau'),
  listPhrases: [/^(fy )?(rhestr|rhybuddion)$/],
  helpPhrases: [/\b(cymorth|pwy (ydych chi|wyt ti|sy)|beth yw hwn|beth yw hyn)\b/],
  polite: list(
    'os gwelwch yn dda plis diolch helo shwmae bore da nawr rwan popeth negeseuon rhybuddion anfon y yr',
  ),
};

const ITALIAN: Language = {
  stopWords: list(
    'basta fermare ferma fermatevi smettila smettetela smetti disiscrivimi cancellami disattiva annulla',
  ),
  stopPhrases: [
    /\b(disiscriv\w+|disiscrizione|cancellatemi|cancellami)\b/,
    /\bnon (mi )?(scriv\w+|mand\w+|contatt\w+|invi\w+) piu\b/,
    /\bnon (voglio|desidero) (piu|ricevere|questi)\b/,
    /\bnon (mi interessa|sono interessat\w)\b/,
    /\b(smett\w+|smettetela) (di|con)\b|\bbasta (messaggi|avvisi|messages|alerts)\b/,
  ],
  otherMeanings: [/\bfermata\b/g, /\bsenza (scalo|scali)\b/g],
  deletePhrases: [/\b(cancell\w+|elimin\w+) (tutti )?(i )?miei dati\b/],
  yesWords: list('va bene certo'),
  noWords: list('grazie'),
  startWords: list('inizia riprendi'),
  listPhrases: [],
  helpPhrases: [/\b(aiuto|chi (sei|siete|e))\b/],
  polite: list('per favore grazie ciao subito adesso tutto messaggi'),
};

/** Words of a few more languages, without phrases. */
const MORE: Language = {
  stopWords: list('стоп отписаться хватит stoppa stoppe stopppen afmelden uitschrijven dur durdur'),
  stopPhrases: [],
  otherMeanings: [],
  deletePhrases: [],
  yesWords: [],
  noWords: [],
  startWords: [],
  listPhrases: [],
  helpPhrases: [],
  polite: [],
};

/** The languages beside English. */
export const LANGUAGES: readonly Language[] = [
  FRENCH,
  GERMAN,
  SPANISH,
  POLISH,
  PORTUGUESE,
  ROMANIAN,
  WELSH,
  ITALIAN,
  MORE,
];
