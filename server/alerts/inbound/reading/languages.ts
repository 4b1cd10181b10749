import type { Template } from './pattern.ts';

/**
 * A language's words, folded as `foldMessage` folds them: 'ecri~' is any word that starts so. The rules over them are the
 * same in all languages (`language-rules.ts`).
 */
export interface Language {
  /** A message of such words and `polite` ones alone. */
  stopWords: string;
  /** 'stop' before another word: 'arretez de ...' */
  ceasing: string;
  contacting: string;
  /** What we send, and pronouns for it. */
  messages: string;
  negation: string;
  wanting: string;
  /** What is not wanted, beside messages. */
  receiving: string;
  noMore: string;
  removing: string;
  /** Whose number it is. */
  person: string;
  /** Other ways to say stop, with `<contacting>` and the others. */
  also: readonly Template[];
  deletes: readonly Template[];
  /** START lifts a stop, so each is a whole message. */
  starts: readonly Template[];
  lists: readonly Template[];
  helps: readonly Template[];
  /** Phrases with a stop word that mean something else. They are taken out before anything is matched. */
  otherMeanings: readonly RegExp[];
  yesWords: string;
  noWords: string;
  /** Words that change nothing beside a command. */
  polite: string;
}

const FRENCH: Language = {
  stopWords: `
      arret arrete arretez arreter stopper stoppez desabonner desabonnement desabo desinscrire desinscription resilier
      resiliation annuler annulez desactiver desactivez assez supprimer retirer fin`,
  ceasing: 'arret~ darret~ cess~ stopper stoppez stoppe finiss~ fin_a',
  contacting: `
      envo~ ecri~ contacter contactez contactes contacte derang~ embet~ spammer spammez spammes harcel~ appelez
      appeler appelle textez texter sollicit~ importun~ relanc~ menvo~ mecri~ mcontacter mcontactez mcontactes
      mcontacte mderang~ membet~ mspammer mspammez mspammes mharcel~ mappelez mappeler mappelle mtextez mtexter
      msollicit~ mimportun~ mrelanc~ nenvo~ necri~ ncontacter ncontactez ncontactes ncontacte nderang~ nembet~
      nspammer nspammez nspammes nharcel~ nappelez nappeler nappelle ntextez ntexter nsollicit~ nimportun~ nrelanc~`,
  messages: `
      messages message sms alertes alerte alerts notifications notification pub pubs publicite~ textos texto mails
      spam conversation abonnement service tout ca cela offres`,
  negation: 'ne n pas plus jamais',
  wanting: 'veux veut voulons souhaite~ desire~ besoin',
  receiving: 'recev~ avoir etre rien messages ca cela de_vos vos ces des',
  noMore:
    'plus_de plus_d plus_dalertes plus_aucun~ aucun~ assez_de marre_de ras_le_bol_de pas_de stop_aux trop_de',
  removing: 'retir~ enlev~ suppri~ effac~ raye~ sortez sortir oubli~ desinscri~ desabon~ bloqu~',
  person: 'moi mon_numero ce_numero mon_tel~ mon_nom notre_numero me liste mon_portable',
  also: [
    'desabon~|desinscri~',
    '<negation> <wanting> plus|pas|rien|aucun',
    'ne veux plus',
    'n~ez plus',
    'nen_veux|nen_voulons|en_veux plus|pas',
    'laisse~|lache~|fichez|foutez|fiche|fous moi|nous|la|la_paix .{0,2} tranquille|paix|grappe|la_paix',
    'laisse~|lache~ moi|nous',
    'foutez le camp',
    'fous le camp',
    'degage~',
    'pas du_tout|plus|tres|vraiment? interess~',
    'plus|aucun|pas_d|dinteret interess~|interet',
    'ne minteresse plus|pas',
    'ca|cela suffit',
    'annul~|resili~|desactiv~|coup~|stopp~ l|les|mon|mes|ces|cet|cette|toutes|le? abonnement|labonnement|alertes|alerte|alerts|inscription|linscription|notifications|tout|messages|service|subscription',
    'mauvais|faux|pas_le_bon numero',
    'numero incorrect',
    'mettre|mettez fin',
    'je veux arreter|partir|sortir|resilier',
    'pouvez|peux|pourriez|faut arreter|cesser|stopper <polite>* $',
    'ras le bol',
    'jen ai marre',
    'comment on|je_peux? arreter|desabonner|desactiver|stopper',
  ],
  deletes: [
    'suppri~|effac~|detrui~|elimin~ toutes? mes|nos|les donnees|infos|informations|coordonnees',
    'suppression de mes? donnees',
    'suppri~|effac~|ferm~ mon compte',
    'droit a_loubli|a_leffacement|a_l_oubli',
    'rgpd',
  ],
  starts: [
    '^ <polite>* reprendre|reprenez|recommenc~|redemarr~|reactiv~|commenc~|reabonn~|remettez|relanc~ <polite>|les|mes|lenvoi|envoi|alertes|messages|des|de|a|moi* $',
    '^ me? reabonner <polite>* $',
  ],
  lists: [
    '^ <polite>* ma|la|mes|mi|moja|meine? liste|alertes|alerts|list|lista <polite>* $',
    'quelles|quels .{0,4} alertes|alerts',
    'que suis_je|surveillez_vous',
    'mes alertes|alerts $',
  ],
  helps: [
    'aide|aidez_moi <polite>* $',
    '^ <polite>* aide',
    'qui etes_vous|est_vous|es_tu|est_ce|cest|etes',
    'cest quoi|qui',
    'comment ca_marche|ca_fonctionne',
  ],
  otherMeanings: [
    /\b(l |un |d |sans |en )?arrets? (de |du |d )?(bus|tram|metro|autobus|car|navette)\b/g,
    /\barret de (bus|tram|metro)\b/g,
    /\bsans (arret|escale)\b/g,
    /\bn \w*arrete\w* (pas|jamais)\b|\bne (vous|t) arrete\w* (pas|surtout pas)\b|\bne pas arreter\b/g,
    /\bannul\w+ (la |ma |une |le |mon )?(reservation|vol|sejour|voyage|vacances)\b/g,
    /\b(la )?fin (du|de|d|des|janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre)\b/g,
  ],
  yesWords: 'oui ouais daccord confirme parfait',
  noWords: 'non nan',
  polite: `
      svp stp merci bonjour salut bonsoir s il vous te plait cordialement maintenant tout tous de suite moi les ces
      messages alertes alerts sms immediatement je veux voudrais m me vos`,
};

const GERMAN: Language = {
  stopWords: `
      stopp stoppen stoppt abmelden abmeldung abbestellen abbestellung kundigen kundigung aufhoren aufhoeren schluss
      beenden austragen abbrechen abschalten ausschalten deaktivieren halt ende genug stornieren loschen loeschen
      stopt`,
  ceasing: 'stopp~ hor auf aufhoren aufzuhoren hort horen hoer hoeren beend~ unterlass~',
  contacting: `
      schreib~ schick~ send~ kontaktier~ anschreib~ belastig~ texten textet zuschick~ zusend~ anruf~ nervt nerven
      anzuschreiben spam~ bombardier~`,
  messages: `
      nachrichten nachricht sms benachrichtigung~ alerts alarme werbung mitteilungen infos whatsapps angebote
      preisalarm~ newsletter abo abonnement meldungen mails spam alles`,
  negation: 'nicht nichts nie keine nix keinesfalls',
  wanting: 'mochte moechte will wollen brauch~ wunsche wuensche mochten moechten benotig~',
  receiving: 'erhalten bekommen haben kriegen das mehr nachrichten diese dies eure ihre kontaktiert',
  noMore: 'keine~ kein genug_von schluss_mit',
  removing: 'losch~ loesch~ entfern~ streich~ nehm~ nimm trag~ meld~ austrag~ abmeld~',
  person: 'mich meine_nummer meine_handynummer diese_nummer meine_telefonnummer uns meinen_namen',
  also: [
    'hor|hoer|horen|hoeren|hort bitte|sie|jetzt|endlich|mal* auf',
    'meld~|trag~ sie? mich|uns .{0,4} ab|aus',
    'bestell~ .{0,4} ab',
    '<wanting> .{0,3} nicht|nichts|keine|nix mehr|weiter~|nachrichten|alerts|werbung',
    '<wanting> das|dies|es|davon nicht|nichts',
    'nichts|nicht|nix mehr <contacting>|<receiving>|horen|von',
    'lass|lasst|lassen sie? mich|uns bitte? in_ruhe|in_frieden|zufrieden',
    '<messages>|alle|alles bitte? stoppen|abbestellen|abmelden|kundigen|beenden|ausschalten|abschalten|deaktivieren|stornieren|aus|abstellen',
    'mich|uns bitte? abmelden|austragen|loschen|entfernen',
    'meine|diese nummer bitte? loschen|loeschen|entfernen|streichen',
    'schluss damit|jetzt',
    'es|jetzt|das reicht',
    'reicht jetzt',
    'kein|keinerlei|nicht|nicht_mehr|null interesse|interessiert',
    'falsche|verkehrte nummer',
    'wie|wo kann|melde|komme .{0,5} abmelden|ab|raus|stoppen|abbestellen',
    'verpiss~|hau_ab|geh_weg',
    'von der|dem|eurer|ihrer liste|verteiler',
  ],
  deletes: [
    'losch~|loesch~|entfern~ sie|bitte|alle|all* meine|unsere personlichen|persoenlichen? daten|infos|informationen',
    'meine|alle personlichen|persoenlichen? daten bitte? loschen|loeschen|entfernen',
    'losch~|loesch~ .{0,2} mein konto',
    'mein konto bitte? loschen|loeschen',
    'datenloschung|dsgvo',
  ],
  starts: [
    '^ <polite>|alerts|alarme|benachrichtigungen* wieder <polite>* anmelden|starten|einschalten|aktivieren|an|senden|schicken? <polite>* $',
    '^ <polite>* wieder? starten|anmelden|anfangen|fortsetzen|neustart|reaktivieren <polite>* $',
    '^ <polite>* alarme|alerts|benachrichtigungen|nachrichten|mich wieder? anmelden|starten|einschalten|aktivieren|an <polite>* $',
  ],
  lists: [
    '^ meine? liste|alarme|preisalarme <polite>* $',
    'was beobachte~',
    'meine|welche .{0,1} alerts|alarme|preisalarme .{0,3} $',
  ],
  helps: [
    'hilfe',
    'wer ist_das|seid_ihr|sind_sie|schreibt|bist_du|ist_da',
    'was ist_das',
    'wie geht_das|funktioniert_das',
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
  yesWords: 'ja jawohl jo jap klar gerne einverstanden bestatige passt',
  noWords: 'nein nee ne',
  polite: `
      bitte danke hallo hi guten tag morgen abend sofort jetzt alles alle endlich mal sie mich mir ich nachrichten das
      diese die den vielen dank grusse gruss lg mfg mit freundlichen grussen mochte moechte will bot kann`,
};

const SPANISH: Language = {
  stopWords: `
      parar para pare paren parad alto basta baja bajas detener detente detenga detengan cancelar cancele cancelen
      cancela anular eliminar suprimir salir desuscribir desuscribirme desuscribirse desuscripcion terminar suficiente
      termina desactivar borrar fin`,
  ceasing: 'paren pare parad parar dej~ cesen cese cesar deten~ basta_de terminen_de',
  contacting:
    'envi~ manden mande mandes mandar mandeis escrib~ molest~ contacten contacte contactes contactar llam~ acos~',
  messages: `
      mensajes mensaje alertas alerta avisos notificaciones whatsapps suscripcion servicio todo eso esto sms spam
      publicidad correos messages alerts ofertas`,
  negation: 'no nunca jamas tampoco ni',
  wanting: 'quiero deseo queremos necesito deseamos quisiera me_gustaria',
  receiving: 'recib~ mas esto estos estas este nada seguir que_me mensajes saber',
  noMore: 'no_mas ningun~ basta_de ni_un sin_mas harto_de harta_de',
  removing: 'borr~ elimin~ quiten quitar quita quitad sacad sacar saca saque saquen retir~ suprim~',
  person: 'mi_numero este_numero mi_telefono mi_movil mi_nombre me la_lista su_lista el_numero nos',
  also: [
    'dar|dame|deme|denme|dadme|darme|darse|date|dese|darnos|solicito|quiero la|mi|de? baja',
    'desuscri~|desapunt~',
    'borrarme|quitarme|sacarme|eliminenme|elimineme|eliminame|borrenme|borreme|borrame|quitenme|quiteme|quitame|saquenme|saqueme|sacame|quitadme|borradme',
    'dej~ me? en_paz|tranquil~',
    'ya no <wanting>|me_interesa~|estoy_interesad~',
    'no me? interesa~|interesad~',
    'no estoy interesad~',
    'sin interes',
    'cancel~|deten~|anul~|desactiv~|quit~|apag~|par~ las|los|mis|todas|todos|mi|la|estas|estos|el* alertas|alerts|avisos|mensajes|notificaciones|suscripcion|todo|eso|esto|servicio|messages',
    'numero|telefono equivocado|erroneo|incorrecto',
    'equivoc~ de numero',
    'no soy yo',
    'ya vale|basta de|con|ya',
    'no mas .{0,2} $',
    'estoy hart~|cansad~',
    'como me|puedo|cancelo .{0,2} baja|cancelar|desuscrib~',
    'para|pare|paren ya|por_favor|de',
  ],
  deletes: [
    'borr~|elimin~|suprim~ todos|todas? mis|los datos|informacion',
    'borr~|elimin~|cerr~ mi cuenta',
    'derecho al_olvido|de_supresion',
  ],
  starts: [
    '^ <polite>* volver a|al? <polite>* activar|empezar|recibir|enviar <polite>|alertas|mensajes|las|los* $',
    '^ <polite>* empezar|comenzar|iniciar|reanudar|reactivar|activar|alta|reiniciar <polite>|alertas|las|los|mis|otra|vez|nuevo|de* $',
  ],
  lists: [
    '^ mi|la|mis? lista|alertas <polite>* $',
    'que estoy_vigilando|alertas_tengo',
    'cual~|que .{0,3} mis? alertas|alerts',
    'mis alertas|alerts $',
  ],
  helps: ['ayuda|ayudame', 'quien es|eres|sois|son', 'que es_esto', 'como funciona'],
  otherMeanings: [
    /\bparadas? (de|del)? ?(autobus|bus|metro|taxi|tranvia)?\b/g,
    /\bno (pares|paren|pareis|pare|cancelen|canceles|cancele|dejen de (enviar|mandar)\w*)\b/g,
    /\bsin (parar|escalas?)\b/g,
    /\bpara (?!ya\b|por favor\b)(\w+)/g,
    /\b(salir|salida) (de|desde|el|en|a|del)\b/g,
    /\bcancel\w+ (el |la |un |una |mi )?(viaje|reserva|vuelo|hotel|gratis|gratuita)\b/g,
    /\bcancelacion\b/g,
    /\b(temporada )?baja (temporada|de precio)\b|\btemporada baja\b/g,
    /\bfin(ales)? de\b/g,
  ],
  yesWords: 'si sip vale claro confirmo acepto perfecto bueno',
  noWords: 'no nop',
  polite: `
      por favor porfavor porfa gracias hola buenos buenas dias tardes noches ya ahora todo todos todas mensajes
      messages alertas alerts inmediatamente esto eso quiero me los las saludos puede pueden de la`,
};

const POLISH: Language = {
  stopWords: `
      zatrzymaj zatrzymac przestan przestancie przestac wypisz wypisac wypisuje rezygnuje rezygnacja anuluj anulowac
      koniec dosc dosyc wylacz wylaczyc wystarczy zakoncz zakonczyc odsubskrybuj usun odwolaj`,
  ceasing: 'przesta~ zatrzym~ koniec_z skoncz~ zaprzesta~',
  contacting:
    'pis~ wysyl~ spam~ sms~ nek~ mecz~ przesyl~ przysyl~ kontakt~ dzwon~ napis~ zawracaj~ zaczepia~ niewysylanie',
  messages: `
      wiadomosci wiadomosc alerty alertow powiadomien powiadomienia smsow smsy sms wszystko subskrypcje subskrypcja
      reklam spamu maili ofert newsletter~ messages alerts`,
  negation: 'nie nigdy zadnych',
  wanting: 'chce chcemy zycz~ potrzebuj~',
  receiving: 'dostawac otrzymywac wiecej zadnych takich waszych tego tych od_was juz wiadomosci',
  noMore: 'zadnych koniec koniec_z ani_jednej bez dosc',
  removing: 'usun~ skasuj~ wykresl~ wypis~ wyrejestr~',
  person: 'mnie z_listy numer numeru nas moj mojego',
  also: [
    'wypisz~|wypisac|wypisuje|wypisanie|wypisujcie',
    'rezygnuje|zrezygnuj~|rezygnacja|rezygnujemy|rezygnowac|zrezygnowac',
    'juz? nie chce|potrzebuje tego|tych|juz|wiecej|ich? .{0,1} $',
    'dajcie|daj|dac mi|nam? swiety? spokoj',
    'zostaw~ mnie',
    'odczep~|odwal~|spadaj~|spierdal~',
    'nie jestem|juz|jestesmy? zainteresowan~',
    'nie interesuj~ mnie',
    'wylacz~|zatrzym~|anuluj~|zakoncz~|odwol~|cofnij prosze|te|wszystkie|moje|mi* alerty|powiadomienia|wiadomosci|wszystko|subskrypcje|smsy|zgode',
    'zly|bledny|nie_ten numer',
    'pomylka',
    'dosc tego',
    'wystarczy|dosc .{0,2} <messages>|smsow|wiadomosci|alertow|powiadomien',
    'jak .{0,2} wypisac|wylaczyc|zrezygnowac',
    'odsubskryb~',
    'mam dosc $',
  ],
  deletes: ['usun~|skasuj~ .{0,2} dane|danych|konto', 'rodo', 'prawo do_bycia_zapomnianym'],
  starts: [
    '^ <polite>|znowu|ponownie|znow* wznow~|rozpocznij|zacznij~|wlacz~|zapisz <polite>|znowu|ponownie|znow|powiadomienia|alerty|wiadomosci|moje|sie* $',
  ],
  lists: [
    '^ moja|pokaz|moje? lista|liste|alerty <polite>* $',
    'co obserwuje',
    'jakie .{0,3} alerty',
    'moje alerty $',
  ],
  helps: ['pomoc|pomocy|pomozcie', 'kto to|pisze', 'kim jestes~', 'co to jest? $', 'jak to dziala'],
  otherMeanings: [
    /\bprzystan\w+\b/g,
    /\bnie (przestawaj|przestawajcie|wypisuj|wypisujcie|zatrzymuj|zatrzymujcie|wylaczaj|anuluj|anulujcie)\w*\b/g,
    /\b(koniec|konca|koncem) (maja|czerwca|lipca|sierpnia|wrzesnia|pazdziernika|listopada|grudnia|stycznia|lutego|marca|kwietnia|roku|sezonu|miesiaca)\b/g,
    /\b(anulowac|anuluj|odwolac|rezygnowac z) (rezerwacj\w+|lot\w*|wyciecz\w+|hotel\w*|podroz\w*)\b/g,
    /\bdosc (drogo|tanio|daleko|dobr\w+|blisko)\b/g,
  ],
  yesWords: 'tak potwierdzam zgoda jasne pewnie dobrze',
  noWords: 'nie',
  polite: `
      prosze dzieki dziekuje czesc dzien dobry natychmiast teraz juz wszystko to tych mnie sie z wiadomosci alerty
      pozdrawiam chce te od bardzo`,
};

const PORTUGUESE: Language = {
  stopWords: `
      parar pare parem cancelar cancele cancelem sair descadastrar descadastre chega remover encerrar terminar
      desinscrever desativar interromper desligar anular basta`,
  ceasing: 'pare parem parar para deix~ cess~ chega_de basta_de',
  contacting:
    'mande mandem mandar mandes manda envi~ escrev~ contat~ contacte~ contactar incomod~ chate~ perturb~',
  messages: `
      mensagens mensagem alertas alerta avisos notificacoes inscricao subscricao tudo isto isso sms spam servico
      assinatura messages alerts ofertas`,
  negation: 'nao nunca jamais nem',
  wanting: 'quero desejo queremos preciso pretendo gostaria',
  receiving: 'mais receb~ estas essas isto isso nada continuar saber mensagens',
  noMore: 'chega_de sem_mais nao_mais basta_de nenhum~ farto_de mais_nenhum~',
  removing: 'tirem tira tirar removam remova remover retirem retire retirar apag~ elimin~ exclu~ delet~',
  person:
    'meu_numero este_numero meu_telefone meu_contacto meu_contato meu_telemovel meu_nome me da_lista o_numero',
  also: [
    'descadastr~|desinscr~',
    'me tire~|remov~|retir~|descadastr~',
    'deix~ me? em? paz',
    'me deix~ em_paz',
    'ja nao quero',
    'nao .{0,2} interess~',
    'sem interesse',
    'cancel~|deslig~|desativ~|encerr~|anul~|suspend~ os|as|meus|minhas|todos|todas|o|a|minha* alertas|mensagens|avisos|notificacoes|inscricao|subscricao|tudo|isto|isso|assinatura|servico|alerts',
    'numero errado|enganado',
    'sair da|do lista|grupo|servico',
    'quero|como|posso .{0,1} sair|cancelar|parar|desativar <polite>* $',
    'podem|pode|podes parar <polite>* $',
    'pare|parem com|os|as|ja|por_favor|isso',
  ],
  deletes: ['apag~|elimin~|exclu~|delet~|remov~ todos? os|as? meus|minhas dados|informacoes', 'lgpd'],
  starts: [
    '^ <polite>|voltar|a|de|novo* comecar|iniciar|retomar|recomecar|reativar|reiniciar <polite>|alertas|mensagens|os|as|de|novo* $',
    '^ voltar a receber|ativar|enviar .{0,3} $',
  ],
  lists: ['os? meus alertas|alerts <polite>* $', 'quais .{0,4} alertas', 'o_que estou a? seguir|acompanhar'],
  helps: ['ajuda|ajudem', 'quem e|sao|fala', 'o que e isto|isso', 'como funciona'],
  otherMeanings: [
    /\b(paragem|parada|ponto) de (autocarro|onibus|metro|taxi)\b/g,
    /\bsem (escalas?|parar)\b/g,
    /\bnao (pare|parem|cancelem|cancele)\b/g,
    /\bcancel\w+ (a |o |uma |minha )?(reserva|viagem|voo|hotel|gratis|gratuito)\b/g,
    /\bsair (de|do|da|no|em)\b(?! (lista|grupo|servico))/g,
    /\bchega (ao|a|em|no|as)\b/g,
  ],
  yesWords: 'sim claro confirmo aceito certo',
  noWords: 'nao',
  polite: `
      por favor obrigado obrigada ola oi bom dia boa tarde noite ja agora tudo mensagens alertas alerts isso isto
      imediatamente quero me os as`,
};

const ROMANIAN: Language = {
  stopWords: `
      opriti opreste oprire dezabonare dezaboneaza dezabonez anulati anuleaza anulare gata ajunge renunt inceteaza
      incetati stop sterge stergeti`,
  ceasing: 'opri~ oprest~ opresc opreasca incet~ termina terminati anul~ gata_cu',
  contacting: 'trimi~ scri~ contacta~ deranj~ suna~',
  messages: `
      mesaje mesajele mesaj alerte alertele notificari notificarile tot totul asta abonamentul astea abonament spam
      sms messages alerts`,
  negation: 'nu nici niciodata',
  wanting: 'vreau doresc dorim vrem nevoie mai_vreau mai_doresc mai_am_nevoie',
  receiving: 'sa_primesc primesc aceste mesaje alerte sa_mai primi~ asta astea nimic',
  noMore: 'fara gata_cu ajunge_cu destul_cu nici_un',
  removing: 'sterg~ scoat~ elimin~',
  person: 'numarul nr acest_numar ma de_pe_lista ma_de',
  also: [
    'dezabon~',
    'nu imi|mi|ne|ma|va? mai <contacting>|vreau|doresc|primi~|nevoie|deranj~',
    'scoate~ ma',
    'lasa~ ma in_pace',
    'lasati ma',
    'nu|nu_mai sunt|ma interes~',
    'numar gresit',
    'm_am saturat',
    'cum ma|pot dezabon~|opresc|opri',
  ],
  deletes: ['sterg~|elimin~ mi? va_rog? toate? datele|informatiile'],
  starts: [
    '^ <polite>* incep~|reia~|porni~|reactiv~|activa~ <polite>|din|nou|iar|mesajele|alertele|notificarile* $',
  ],
  lists: ['^ lista|alertele mea|mele? $', 'ce alerte'],
  helps: ['ajutor', 'cine esti|sunteti|e|este', 'ce este|e asta', 'cum functioneaza'],
  otherMeanings: [
    /\bstati\w+ de (autobuz|metrou)\b/g,
    /\bnu (va opriti|te opri|opriti|anulati)\b/g,
    /\bfara (escala|oprire)\b/g,
    /\bgata (de|sa|cand)\b/g,
  ],
  yesWords: 'da confirm sigur',
  noWords: 'nu',
  polite: 'va rog te multumesc mersi buna ziua salut acum imediat tot totul mesajele alertele mesaje',
};

const WELSH: Language = {
  stopWords: 'stopiwch stopio stopia peidiwch paid canslo diddymu gorffen digon tynnu',
  ceasing: 'stopiwch stopio stopia stopior rhowch_y_gorau_i',
  contacting: `
      anfon~ danfon~ tecstio~ thecstio~ decstio~ cysylltu~ chysylltu~ gysylltu~ negesu~ ffonio~ gyrru~ ysgrifennu
      poeni~ hala`,
  messages: 'negeseuon neges rhybuddion rhain hyn cyfan popeth tecsts tecstio messages',
  negation: 'peidiwch paid peidio ddim',
  wanting: 'eisiau isio moyn ishe angen',
  receiving: 'mwy rhain hwn negeseuon rhagor clywed derbyn cael',
  noMore: 'dim_mwy_o dim_rhagor_o dim_mwy dim_rhagor dim digon_o',
  removing: 'tynnwch tynna dilewch dileu tynnu cymerwch',
  person: 'fi fy_rhif y_rhif ni fy_enw oddi_ar',
  also: [
    'stopiwch',
    'dad danysgrifi~',
    'dim mwy|rhagor .{0,1} $',
    'dydw|dw|dwi|dyn|sai|so i|ni|n? ddim? eisiau|isio|moyn|ishe',
    'eisiau|isio|moyn|ishe .{0,2} ddim',
    'gadewch|gad lonydd|fi|llonydd',
    'rhif anghywir',
    'rhowch|rho y gorau',
    'dim|heb diddordeb|ddiddordeb',
    'canslwch|canslo|diffodd|diffoddwch|stopio y|yr|fy? rhybuddion|negeseuon|cyfan|hyn|popeth',
    'sut .{0,3} stopio|dad_danysgrifio',
  ],
  deletes: ['dilewch|dileu|dileuwch|dilea fy holl? nata|data|ngwybodaeth|manylion'],
  starts: [
    '^ <polite>* dechrau|ailddechrau|dechreuwch|ailddechreuwch|dechreua <polite>|eto|y|r|rhybuddion|negeseuon* $',
  ],
  lists: ['^ fy? rhestr|rhybuddion $', 'pa rybuddion'],
  helps: [
    'sut mae hwn|hyn|y',
    'cymorth|help plis|os_gwelwch_yn_dda $',
    'pwy ydych_chi|wyt_ti|sy|ydi|yw',
    'beth yw hwn|hyn',
  ],
  otherMeanings: [/\b(peidiwch|paid) a stopio\b/g, /\barhosfan (bws|bysiau)\b|\bsafle bws\b/g],
  yesWords: 'ie ydw oes iawn ydy',
  noWords: 'na nage nac_ydw dim_diolch',
  polite:
    'os gwelwch yn dda plis diolch helo shwmae bore da nawr rwan popeth negeseuon rhybuddion anfon y yr',
};

const ITALIAN: Language = {
  stopWords:
    'basta fermare ferma fermatevi smettila smettetela smetti disiscrivimi cancellami disattiva annulla',
  ceasing: 'smett~ fermate ferma fermare basta_con cessa~ finit~ piantat~',
  contacting: 'scriv~ mand~ contatt~ invi~ disturb~ chiam~ importun~ messaggiar~',
  messages: `
      messaggi messaggio avvisi avviso notifiche sms alerts messages iscrizione abbonamento servizio allerte
      pubblicita mail`,
  negation: 'non mai nessun',
  wanting: 'voglio desidero vogliamo vorrei serve servono',
  receiving: 'piu ricev~ questi questo niente altri messaggi essere',
  noMore: 'basta basta_con niente_piu nessun~ niente non_piu stufo_di stufa_di',
  removing: 'cancell~ elimin~ toglie~ rimuov~ leva~',
  person: 'mio_numero il_mio_numero questo_numero lista vostra_lista',
  also: [
    'disiscriv~|disiscrizione|cancellatemi|cancellami|toglietemi|toglimi|rimuovetemi|rimuovimi|cancellarmi|eliminatemi',
    'non mi? <contacting> piu|ancora',
    'non mi interessa~|interessano',
    'non sono|siamo interessat~',
    'smettetela|smettila|finitela|piantatela',
    'lasciatemi|lasciami in? pace|stare',
    'annull~|disattiv~|cancell~|interromp~|stopp~|blocc~|ferm~|disd~ le|i|gli|la|il|l|miei|mie|tutti|tutte|questi|questo|mia* iscrizione|liscrizione|labbonamento|abbonamento|avvisi|notifiche|messaggi|tutto|servizio|alerts|allerte',
    'tolga~|tolgo mi? .{0,2} dalla lista',
    'mi tolga~',
    'numero sbagliato',
    'sbagliato numero',
    'come|voglio .{0,3} disiscriv~|disattiv~|cancell~|annull~',
    'basta cosi|grazie|per_favore|ora|adesso',
    'non ne? voglio piu',
  ],
  deletes: ['cancell~|elimin~ tutti? i? miei dati', 'tutti i miei dati'],
  starts: [
    '^ <polite>* inizia|riprend~|ricomincia~|riattiva~|ripristina~|riavvia <polite>|gli|avvisi|le|notifiche|i|messaggi|miei* $',
  ],
  lists: ['quali .{0,4} avvisi|notifiche', '^ i? miei? avvisi $', '^ lista $'],
  helps: ['aiuto|aiutatemi', 'chi sei|siete|e', 'cosa e|cos questo', 'come funziona'],
  otherMeanings: [/\bfermata\b/g, /\bsenza (scalo|scali)\b/g],
  yesWords: 'va_bene certo si',
  noWords: 'no',
  polite: 'per favore grazie ciao subito adesso tutto messaggi',
};

const HINDI: Language = {
  stopWords: 'band bandh bas roko',
  ceasing: 'band bandh bas_karo roko',
  contacting: 'bhej~ karo kro kariye kijiye karna likh~',
  messages: 'message messages msg msgs text texts sms alerts alert notification notifications sab',
  negation: 'mat na naa nahi nahin mt',
  wanting: 'chahiye chahida chahide chahidi chahte mangta mangda',
  receiving: 'message messages alerts eh yeh hor aur',
  noMore: 'hor_nahi aur_nahi koi_nahi',
  removing: 'hata~ nikal~ kadd~ mita~',
  person: 'mera_number mere_number mainu mujhe naam number list_se list_ton list',
  also: [
    '<messages>|eh|yeh|ye|isko|ehnu .{0,3} band|bandh .{0,1} kar~|kro|krdo|kijiye|do',
    'band|bandh kar~|krdo|kijiye|kro|do',
    '<messages>|mainu|mujhe|menu .{0,3} <negation> .{0,1} bhej~|karo|kro|chahi~|kijiye|karna',
    'bas kar~|kro|krdo',
    'chahi~ nahi|nahin',
    'nahi|nahin chahi~',
    'pareshan|tang mat|na|nahi kar~',
    'galat number',
    'pichha|peecha chhad~|chod~|chhod~',
    'mera|mere number hata~|delete|kadd~|nikal~',
    'number|naam|mainu|mujhe .{0,2} hata~|nikal~|kadd~',
  ],
  deletes: [
    'mera|mere|meri|saara|sara data|details|detail|info|jankari .{0,1} delete|hata~|mita~|erase',
    'data|details delete|mita~ kar~|do|kijiye|kro',
  ],
  starts: [
    '^ <polite>* phir|fir|dubara|wapas|dobara .{0,2} shuru|start|chalu .{0,2} $',
    '^ <polite>|message|alerts|messages* shuru|chalu kar~|kro|kijiye <polite>* $',
  ],
  lists: ['mere|meri|mera .{0,1} alerts|alert|list .{0,3} $'],
  helps: ['kaun|kon hai|ho|bol~', 'yeh|ye kya hai', 'madad|sahayta|sahayata'],
  otherMeanings: [],
  yesWords: 'haan han haanji theek acha sahi',
  noWords: 'nahi nahin nai naa',
  polite: 'ji bhai yaar please shukriya dhanyavad kripya sir ab hun bas ok meharbani',
};

const DUTCH: Language = {
  stopWords: 'stoppen afmelden uitschrijven stoppe stoppa',
  ceasing: 'stoppen ophouden',
  contacting: 'sturen stuur appen schrijven contacteren',
  messages: 'berichten bericht meldingen alerts alles reclame',
  negation: 'niet geen nooit',
  wanting: 'wil wens hoef',
  receiving: 'meer ontvangen berichten',
  noMore: 'geen',
  removing: 'verwijder~ haal schrijf',
  person: 'mij me mijn_nummer ons',
  also: ['afmelden|uitschrijven', 'meld mij|me af', 'laat mij|me met_rust', 'niet geinteresseerd'],
  deletes: ['verwijder .{0,2} gegevens'],
  starts: [],
  lists: [],
  helps: ['wie ben|is|bent'],
  otherMeanings: [],
  yesWords: '',
  noWords: 'nee',
  polite: 'alstublieft bedankt aub dank',
};

/** The languages beside English. Hindi stands for Punjabi and Urdu too, in Latin letters. */
export const LANGUAGES: readonly Language[] = [
  FRENCH,
  GERMAN,
  SPANISH,
  POLISH,
  PORTUGUESE,
  ROMANIAN,
  WELSH,
  ITALIAN,
  HINDI,
  DUTCH,
];

/** STOP in a few more. */
export const STOP_WORDS_ELSEWHERE = 'стоп отписаться хватит dur durdur';
