/**
 * Phrases with a stop word that mean something else. They are taken out before the stops are looked for. What follows
 * 'stop' decides first: with messages after it, it is one.
 */
const OURS =
  '(?:it|this|these|them|those|all|everything|getting|sending|texting|messaging|contacting|receiving|spamming|my (?:alerts?|messages|subscription)|the (?:\\w+ )?(?:alerts?|messages|texts|notifications|spam)|your (?:\\w+ )?(?:alerts?|messages|texts)|alerts?|messages?|texts?|notifications|please)\\b';
const NOT_OURS = `(?! ${OURS})`;

export const OTHER_MEANINGS: readonly RegExp[] = [
  // STOP that was a mistake
  /\b((i|we|he|she|they|my \w+) )?(\w+ )?(pressed|hit|sent|typed|said|wrote|put|clicked|texted|tapped|pushed|replied|opt|did|send|say|press|hit|stopped|cancelled) (the )?(stop|out|it|this|these|them|that|alerts|my alerts|the alerts|the messages|messages|unsubscribe)? ?(button )?(to the wrong person|by (accident|mistake)|accidentally|in error|mistakenly|wrongly)\b/g,
  /\b(accidentally|mistakenly|wrongly) (\w+ )?(stopped|pressed stop|hit stop|sent stop|cancelled|unsubscribe|typed stop|opt out)( (it|this|these|them|the alerts|my alerts|the messages|messages))?/g,
  /\b(didnt|never|did not|wasnt) (\w+ )?(mean|meant|meaning|want|intend|supposed|trying|try) (to )?(\w+ )?(stop|unsubscribe|cancel|opt out|press stop|end)( (it|this|these|them|the alerts|my alerts|the messages|messages|alerts))?/g,
  /\b(ignore|undo|cancel|forget|disregard|reverse|scrap|retract) (that|the|my|last|my last|the last) (stop|unsubscribe)( message)?\b|\bundo (the )?stop\b/g,
  // A stop of buses and flights
  /\b(non|bus|tram|train|metro|coach|taxi|shuttle|ferry|one|two|three|four|1|2|3|single|each|every|next|first|last|final|full|pit|short|many|few|direct|door|quick|tour|petrol|rest|lunch|fuel|truck|tube|comfort|toilet|loo|whistle|overnight) (stops?|stopping)\b(?! (?:these|this|texting|sending|messaging|it|them|the messages|the alerts|please))( (shop|at|in|near|to|outside|by|flights?)\b)?/g,
  /\b(a|an|the|that|our|which|any|is there|with|without|what|no) (\w+ )?(stops|stop over|stopover)\b/g,
  new RegExp(
    `\\b(a|an|the|our|which|any|is there|with|without|what) ((long|short|quick|little|brief|nice|first|second|third|last|next|good|only|single|proper|overnight|coffee|food|scheduled|extra|technical) )?stop\\b${NOT_OURS}(?! (to|messages)\\b)`,
    'g',
  ),
  new RegExp(
    `\\bstop (?!at once)${'(?:in|at|by|near|over|overs|offs?|off|between|outside|for|on|en|along|there|here|somewhere|anywhere|when|before|after|if|off|halfway|overnight|until|till|worrying|dreaming|smiling|laughing|crying|looking|thinking|talking|wanting|checking|booking|searching|going|eating|raining|comparing|messing|teasing|tempting|showing off|moaning|working|smoking|drinking|flying|playing|kidding|joking|lying|whinging|faffing|overthinking|scrolling|growing|and (?:think|look|smell|stare|shop|stay)|me (?:if|when|from)|you (?:from|doing)|the (?:bus|car|clock|presses|press|price|prices|rain|kids|planet|world))'}\\b(?! (?:drops? )?(?:alerts?|messages|drops?|texts|notifications|updates|tracking))(?! (good|all|ever|now)\\b)`,
    'g',
  ),
  /\b(stopovers?|stop overs?|stopwatch|non stop)\b/g,
  /\b(did|have|has) (you|the \w+|my \w+|it|they) ((?!said|asked|told)\w+ )?(stop|stopped|cancelled|ended|end)\b( (texting|messaging|sending|the|my|me|alerts?|messages|it))*/g,
  // Staying, and what others stop
  /\b(stopping|stopped) (at|in|with|over|by|near|off|for|on|outside|a|the night|here|there|home|raining|going|falling|dropping|selling|doing|looking|thinking|asking|serving|flying|working|smoking|talking|me from|us from|us|you)\b( (now|from))?/g,
  /\b(nothing|nowt|what is|what|who is|nobody|no one|anything|no) stopping\b/g,
  /\b(hasnt|havent|hadnt|has|have|wasnt|isnt|not|never|dont|just) stopped (?!these|the messages|the alerts|texting|messaging|sending)\w+/g,
  /\b(when|where|does|do|did|hasnt|until|till|why does|why do|how long does|how often does|what time does|^has|^have) (?!you |your |this stop|these stop|i unsubscribe|i stop|i get|i cancel|i end|i have to|we stop|we have to|i need|i make)((?!please |you |i )\w+ ){1,5}(stops?|stopping|stopped|end|ends|ended|finish|cancel|cancelled)\b/g,
  new RegExp(
    `(?:^|\\b(?:and|but|so|or|when|how|hope|think|sure|know) )(will|would|can|could|is|are|was|were|should) (?!you |we |i |someone |somebody |anyone |like |prefer |love |there |it possible |these |this |the messages |the alerts |the texts )((?!please |you |i |just |now |to )\\w+ ){1,5}(stops?|stopping|end|ends|ended|cancel|cancelled)\\b${NOT_OURS}`,
    'g',
  ),
  /\bif (you|i|we|they) ((?!would |could |can |just |please |kindly )\w+ )?(stop|cancel|end|quit|unsubscribe)\b/g,
  /\bstop (it|this|that|them|these) (going|falling|happening|raining|dropping|from|getting|being|becoming|costing|selling|running|working)\b.*/g,
  // Not to stop
  /\b(dont|never|couldnt|shouldnt|not|wouldnt|without|no need to|please dont|wont|unless) (you |ever |ever you |want to |want you to |want it to |want them to |want these to |want this to |want the alerts to |dare |need to |mean to |meant to |think of |let it |let them |let this |go and |please |just |seem to |help but |ask you to |have to |ready to |planning to |trying to |asking to |asking you to |saying |get |wanting to |really |going to |you dare )*(stop|stopping|end|cancel|unsubscribe|quit|remove me|remove my|remove us|opt out|turn off|switch off|turn|switch|delete|take me off|take us off|disable)( (it|this|these|them|sending|messaging|texting|contacting|watching|the|alerts|messages|all|everything|my|me|off|coming|updates|those|number|us|alert|any))*/g,
  /\b(cant|couldnt) (seem to )?(stop|quit) (?!these|this|them|the (messages|alerts|texts)|getting|receiving|it\b)\w+/g,
  /\bcant stop (it|this|wont)( stop)?\b|\bnothing (can|could|will) stop\b|\bunstoppable\b|\bnon refundable\b/g,
  /(?<!no need to |dont |why |you )\b(keep|carry on|continue) (\w+ )?(sending|messaging|texting|the alerts|them coming|it up|going)\b(?! (me|us) (this|these|crap|rubbish|shit|spam|when|after))/g,
  // Ends and cancellations of other things
  /\b((the|at|by|in|until|till|from|near|week|month|year|season|weekend|dead|east|west|north|south|high|low|top|bottom|back|front|far|both|either|quiet|busy) )*(end|ends) (of|in|on|up|date|result|terrace|row|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|aug|sept|sep|oct|nov|dec)\b/g,
  /\b(the|at the|in the|by the|weekend|week|an|high|low|dead|that|which|other|his|her|their|book|term|year|season|split|back|loose|deep|shallow) (end|ends)\b/g,
  /\b(free|flexible|late|can i|can we|could i|could we|if i|if we|if they|need to|have to|what if|how do i|want to|to|they|airline|we had to|was|were|been|got|is|being|they have|has|have) (\w+ )?(cancel|cancelled|cancellation|cancellations|cancelling) (the|my|our|a|it for|it without|it later|holiday|booking|hotel|flight|flights|trip|reservation|room|for free|free|later|on (me|us)|at|before|after|without|up to|if|by|within|anytime|any time|and|or|insurance|for)\b(?! (\w+ )?(alerts?|messages|notifications?|texts|subscriptions?|service|updates|watch|watches))(?! (alerts?|messages|notifications))( (?!please|stop|so|unsubscribe|remove|take|turn|end|no more|dont|you can)\w+)*/g,
  /\b(free|flexible|what if|if i|if we|if they|(?:free|have|need|had|possible|able|easy|late|deadline|when|fee|cost) to|they|was|were|been|got|being|has|have) (\w+ )?(cancel|cancelled|cancelling|cancellation)$/g,
  /\bcancel (the |my |our |a |this |that |an? |your )?(\w+ )?(holiday|booking|hotel|flight|flights|trip|reservation|room|order|payment|insurance|ticket|tickets|parking|transfers?|car|excursions?|seats?|direct debit)\b(?! (alerts?|messages|notifications?|watch|texts))/g,
  /\b(cancellation|cancellations|cancelled flights?|flights? cancelled|not cancelled|was cancelled|been cancelled|get cancelled|got cancelled|cancelled (on|our|my|the|us|due|because|last))\b/g,
  /\b(remove|take off|drop|delete|cut) (the |a |my |one |some )?(luggage|bags?|baggage|transfers?|filter|child|infant|breakfast|insurance|extras|meals|adult|person|kids?|hold bag|link|booking)\b/g,
  /\b(quit|quitting|leave|leaving) (my job|work|smoking|drinking|the job|uni|school|vaping)\b|\bsmok\w+ .*\bquit\b/g,
  /\bend (the )?(year|week|day|month|call)\b/g,
  // 'off' of other things
  /\b(off|of) (season|peak|the (beach|coast|road|shoulder|lead|plane|price)|work|school|to (spain|greece|the)|sick|licence)\b/g,
  /\b(percent|pounds|quid|day|days|time|week|weeks|take|drop|how much|money|kick|better|well|badly|far|set|setting|night|half|\d+) off(?! (?:this |the |your |my )?(?:list|phone|number))( (is|work|the|a|in|at|from))?\b/g,
  /\b(take|took|put|takes|taken) (me|us|my name|our names?) (off|on|down) (\w+ )?(waiting|cancellation|reserve|standby|guest) list\b/g,
  /\b(they|hotel|airline|tui|jet2|easyjet|ryanair|the bank|rep) ((?!you |please )\w+ )?(said|say|told us|told me|says)? ?(they )?(would|will|wont|can|cant|have|had|did|didnt) (\w+ )?(take|remove|cancel|stop|delete|switch|turn)\w* .*/g,
  // Slips of their own
  /\bwrong (number|person|one|chat) (i|we|it|that) (mean|meant|was|is)\b.*/g,
  /\b(delete|ignore|forget|erase) (that|the|my) (last )?(message|text|one)\b.*/g,
  // Messages that are wanted, on terms
  /\b(dont|never) (text|message|call|email|contact|write)( \w+)? (and|while|when) driv\w+/g,
  /\bdont (miss|want to miss|forget|worry|mind|know|understand|think|see|let|like (the )?(hotel|flight|flights|food|beach|airport|airline|resort|price|place|early|look|heat|idea))\b( (?!but|so|please|stop|remove|take|no more|unsubscribe)\w+)*/g,
  /\bdont want to (\w+ )?(go|fly|travel|pay|wait|book|share|stay|leave|drive|lose|change|spend|end up|miss|camp|swim|walk)\b( (?!but|so|please|stop|remove|take|unsubscribe)\w+)*/g,
  /\bno more (than|rooms?|flights?|seats?|places|availability|expensive|questions?|winter|rain|work|holidays?|money|dates|hotels?|luggage|delays|school|snow|excuses|left)\b(?! (?:alerts?|messages|texts|notifications|deals|offers|updates|spam))/g,
  /\b(havent|didnt|not|never|dont|hasnt|isnt|arent) (\w+ )?(had|got|get|getting|received|receive|receiving|seen) (any|my|the|a|an|your|one|these) (\w+ )?(alerts?|messages?|texts?|notifications?|emails?|updates)\b.*/g,
  /\bmissed\b/g,
];
