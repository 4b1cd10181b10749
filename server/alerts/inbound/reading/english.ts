import type { Language } from './languages.ts';

const list = (words: string): string[] => words.trim().split(/\s+/);

/** What a stop may be about: our messages. */
const OBJECTS =
  '(?:it|this|these|that|those|them|all|everything|messages?|messaging|texts?|texting|alerts?|sending|send|contact|contacting|writing|emails?|emailing|bothering|spam|spamming|notifying|notifications?|updates?|whatsapps?|whatsapping|alerting|watching|watch|watches|tracking|pestering|harassing|annoying|bugging|hassling|pinging|pings?|calling|calls|posting|subscription|service|reminders?|offers?|marketing|pushing|notices|posts|the lot|doing|bombarding|flooding|nagging|deals?|stuff|crap|rubbish|nonsense|bot)';
const DESCRIBED =
  '(?:(?:your|the|my|all|any|of|those|these|this|more|further|such|price|prices|holiday|holidays|drop|drops|travel|deal|deals|whatsapp|daily|bloody|damn|damned|fucking|effing|flipping|sodding|bleeding|stupid|silly|annoying|constant|endless|with|sending|getting|me|us|future|other|every|single|automated|unwanted|spam|promo|promotional|marketing) )*';
const WRITING =
  '(?:messages?|messaging|texts?|texting|contact|contacting|contacted|send|sending|write|writing|email|emailing|call|calling|bother|bothering|notify|notifying|spam|spamming|whatsapp|pester|ping|disturb|harass)';

export const ENGLISH: Language = {
  stopWords: list(
    'stop stops stopped stopping stopall unsubscribe cancel cancelled end quit remove removal halt cease desist discontinue deactivate disable optout terminate revoke block exit off leave',
  ),
  stopPhrases: [
    // 'stop texting me', 'please stop all these messages'
    new RegExp(`\\bstop(?:ping)? ${DESCRIBED}${OBJECTS}\\b`),
    /\bstop (please|now|immediately|today|at once|asap|forever|already|everything|for good|right now|straight away|ffs|thanks)\b/,
    /\b(please|just|kindly|now) (just |now |please )*stop$/,
    /\b(can|could|would|will) (you|we|u|i|someone|somebody|ya) (all |guys |please |just |kindly |now )*stop( (please|now|thanks|thank you))*$/,
    /\b(want|need|like|love|asked|ask|told|tell|begging|wish|prefer|demand) (you |this |it |these |them |everything |all |the alerts |the messages |to )+(stop|stopped|to stop|ended|gone|off|cancelled|removed)$/,
    /\bput (a|an) (stop|end) to\b|\bmake (it|this|these|them|that) (all )?stop\b/,
    /\b(want|let me|get me|count me|i am) out\b( (of|from) (this|these|it|here|your list))?( (please|now|thanks))*$/,
    /\bwhy (dont|wont|cant|havent|didnt) you stop\b/,
    /\b(how (do|can|to|would|could) ?(i|we|you)?|where do i|want to|need to|like to|trying to|going to|let me|please|id like to|wish to|i) (please )?(unsubscribe|opt out|stop (it|this|these|them|getting|receiving)|turn (it|this|these|them) off|cancel (this|these|the alerts|alerts|it|my alerts|my subscription)|quit)\b/,
    /\bunsubscribe\b/,
    /\bopt out\b/,
    /\b(take|remove|delete|drop|strike|scrub) (me|my number|this number|my phone( number)?|my mobile( number)?|my name|us|our number|number|this phone|this mobile|my contact)\b( (off|from|out|now|please|of).*)?$/,
    /\btake (me|us|my number|this number) (off|out)\b/,
    /\bleave (me|us) (alone|in peace|be)\b|\bgo away\b|\b(piss|bugger|sod|fuck|f|eff|naff|jog|clear|do) off\b|\bdo one\b|\bget lost\b|\b(lose|forget|ditch) (my|this) number\b|\bshut up\b/,
    new RegExp(
      `\\b(dont|never|quit|no need to|must not|not to) (ever |please |you |just |bother to |bother )*(be )?${WRITING}(?! (in|by|from|if|about) )\\b`,
    ),
    new RegExp(
      `\\b(no|any) (more|further) ${DESCRIBED}(messages?|alerts?|texts?|texting|messaging|spam|notifications?|whatsapps?|emails?|updates?|deals?|offers?|of (this|these|that)|contact|please|thanks|thank you|pings?|reminders?|for me|now|ffs|stuff|from you)\\b`,
    ),
    /^(please )?(no more|no more no more)$/,
    /\bnot (at all |really |remotely |that )?interested( any more| thanks| thank you| at all| sorry| please| now| mate| in (this|these|it|that|any( of (this|it|these))?|your \w+|the alerts|alerts|messages|deals|price (drops|alerts)))*$/,
    /\b(no longer|not|isnt|arent) (any more )?(interested|wanted|required|needed|of interest)( (in (this|these|it|alerts|messages)|any more|thanks|please|to me|thank you|sorry))*$/,
    /\b(dont|do not|no longer|never) (really |actually |even |honestly |ever )*(want|need|wish|like|care for|require|wanted|asked for|ask for|care about) (you to |to |any |these|this|them|those|your|it|that|more|further|for )*(to )?(these|this|them|those|it|that|any|any more|messages?|alerts?|texts?|notifications?|get|getting|receive|receiving|hear|be|whatsapps?|updates?|you|subscribed|contacted|spam|messaging|texting|message|text|contact|from you|keep|emails?|offers|deals)( (messages?|alerts?|texts?|notifications?|any more|messaged|texted|contacted|subscribed|from|these|this|them|about|updates?|please|thanks|now|spam|whatsapps?|it|in|on|to|me|my|you|coming|all|any|more|for|the|whatsapp|getting|of|drops?|price|emails?|offers|deals|what|not).*)*$/,
    /\bno longer (want|need|wish|require|interested|looking to (receive|get))\b/,
    /\b(turn|switch|shut|turning|switching) off\b.*\b(alerts?|notifications?|messages?|it|this|these|them|all|texts?|everything|updates?)\b|\b(turn|switch|shut) (\w+ ){0,4}(alerts?|notifications?|messages?|it|this|these|them|all|texts?|everything|updates?|watch) off\b|\b(turn|switch|shut) (it|this|these|them|all|everything) off\b|^(please )*(alerts?|notifications?|messages|texts|watch|updates|turn|switch|shut|everything|all|it|this|these|them|that|those)( (it|this|these|them))? off( (please|now|thanks))*$|\b(alerts?|notifications?|messages) off (please|now)\b/,
    /\b(cancel|end|remove|delete|disable|deactivate|discontinue|terminate|kill|drop|clear|block|revoke|withdraw|close|finish|quit|cease|halt|pause|mute|silence|get rid of) (all |of |my |the |these |this |those |your |any |every |price |holiday |please |drop |whatsapp |travel )*(alerts?|messages|notifications?|subscriptions?|watch|watches|texts|updates|consent|permission|everything|all|service|tracking|sign ?up|spam|messaging|it|this|these|them|registration|contact)( (please|now|thanks|thank you|immediately|for (good|me)|asap|today|all|alerts|right now))*$/,
    /\bwrong (number|person|phone)\b|\b(not my|never my) (number|phone)\b|\byou have (got )?the wrong\b/,
    /\b(i )?(never|didnt|did not|have not|havent) (ever )?(sign|signed|asked|ask|subscribe|subscribed|request|requested|consent|consented|agree|agreed|give|gave|opt|opted|register|registered)( (up|in|to|for|this|it|any|of|these|you|permission|that|them|messages|alerts|my number|from|be|contacted).*)?$/,
    /\b(this|it|that|these|they) (is|are|s|looks like) (just )?(spam|harassment|a scam|scam|junk)\b|^(spam|scam|junk|harassment|spammers?|its spam)$|\b(report|reporting|reported) (you|this|it)\b|\bblock(ing|ed)? you\b/,
    /\b(enough|had enough)( (of (this|these|it|that|your|the)( \w+)*|already|now|thanks|please|messages|alerts|is enough|texts))*$/,
    /\b(end|quit|cancel|remove|halt|cease) (it|this|these|them|all|now|please|everything|me|thanks|immediately|messaging|texting|sending|that|bothering)( (please|now|all|messages|thanks|messaging|me|alerts|immediately))*$/,
    /\b(sick|fed up|tired|bored|annoyed|irritated) (of|with|by) (these|this|your|the|all|getting|you|it)\b/,
    /\b(withdraw|revoke|withdrawing|retract) (my )?(consent|permission)\b/,
    /\bget (me|us|my number) off\b|\boff (your|the|this) list\b/,
    /\bunsub\w*\b/,
    /\b(it|this|these|them|alerts?|messages|notifications?) (turned|switched|shut|taken) off\b/,
    /^(please )*(no|zero) (interest|messages|texts|alerts|notifications|whatsapps?|spam|contact|updates)( (at all|in (this|these|it)|please|thanks|thank you|now))*$/,
    /\brefrain from\b|\b(want|get|come|take me) off (this|the|your|that)( \w+)?$|\b(get|come) off (this|the|your) (list|service|thing)\b/,
    /^(these |this |they |it )?(is |are )?(not|no longer) (needed|wanted|required)( (thanks|thank you|any more|now|please))*$/,
    /\bno need (for|of) (these|this|alerts|messages|any)\b/,
    /\bdont (bother|disturb|pester|spam) (me|us)\b/,
    /\bcancel( that| those| my)?$/,
  ],
  otherMeanings: [
    // A stop of buses and flights
    /\b(non|bus|tram|train|metro|coach|taxi|shuttle|ferry|one|two|three|four|1|2|3|single|each|every|next|first|last|final|full|pit|short|many|direct|door|quick|tour|petrol|rest|lunch|fuel|truck|tube) (stops?|stopping)( (at|in|near|to|outside|by|flights?)\b)?/g,
    /\b(a|an|the|that|our|which|any|is there|with|without|what) (\w+ )?(stops?|stop over|stopover)\b(?! (to|it|this|these)\b)/g,
    /\bstop (in|at|by|near|over|overs|offs?|off|between|outside|for|on|en|along|there|here|somewhere|anywhere|when|before|after|if|worrying|dreaming|smiling|laughing|crying|looking|thinking|talking|wanting|checking|booking|searching|going|eating|raining|comparing|me (if|when|from)|the (bus|car|clock|presses|press))\b/g,
    /\b(stopovers?|stop overs?|stopwatch|nonstop|non stop)\b/g,
    // Questions about others than us
    /\b(when|where|does|do|did|has|have|if|until|till|why does|why do|how long does|how often does|what time does) (?!you |u |this stop|these stop|i unsubscribe|i stop (these|this|the|getting)|we stop)((?!please |you |u )\w+ ){1,5}(stops?|stopping|stopped|end|ends|ended|finish|cancel|cancelled)\b/g,
    /\b(will|would|can|could|is|are|was|were|should) (?!you |u |we |someone |somebody |anyone |i |like |prefer |love )((?!please |you |u |just |now )\w+ ){1,5}(stops?|stopping|end|ends|ended|cancel|cancelled)\b/g,
    // Not to stop
    /\b(dont|never|cant|couldnt|shouldnt|not|wouldnt|without|no need to|please dont|wont) (you |ever |ever you |want to |want you to |want it to |want them to |want these to |want this to |want the alerts to |dare |need to |mean to |meant to |think of |let it |let them |let this |go and |please |just |seem to |help but |ask you to |have to )*(stop|stopping|end|cancel|unsubscribe|quit|remove me|remove my|opt out|turn|switch|delete|take me off|disable)( (it|this|these|them|sending|messaging|texting|watching|the|alerts|messages|all|everything|my|me|now|looking|off|please|coming|updates|those|number|us) ?)*/g,
    /\bnothing (can|could|will) stop\b|\bunstoppable\b|\bnon refundable\b/g,
    /\b(keep|carry on|continue) (\w+ )?(sending|messaging|texting|the alerts|them coming|it up|going)\b/g,
    // Ends and cancellations of other things
    /\b((the|at|by|in|until|till|from|near|week|month|year|season|weekend|dead|east|west|north|south|high|low|top|bottom|back|front|far|both|either|quiet|busy) )*(end|ends) (of|in|on|up|date|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|aug|sept|sep|oct|nov|dec)\b/g,
    /\b(the|at the|in the|by the|weekend|week|an|high|low|dead|that|which|other|his|her|their|book) (end|ends)\b/g,
    /\b(free|flexible|late|your|the|can i|can we|could i|could we|if i|if we|if they|need to|have to|what if|how do i|want to|to|they|airline|we had to|was|were|been|got|is|being) (\w+ )?(cancel|cancelled|cancellation|cancellations|cancelling)( (it|the|my|our|a|holiday|booking|hotel|flight|flights|trip|reservation|room|for free|free|later|on (me|us)|at|before|after|without|up to|if|by|within|anytime|any time|and|or|insurance).*)/g,
    /\bcancel (the |my |our |a |this |that )?(holiday|booking|hotel|flight|flights|trip|reservation|room|order|payment|insurance|ticket|tickets)\b/g,
    /\b(cancellation|cancellations|cancelled flights?|flights? cancelled|not cancelled|was cancelled|been cancelled|get cancelled|got cancelled)\b/g,
    /\bremove (the )?(luggage|bags?|baggage|transfers?|filter|child|infant|breakfast|insurance)\b/g,
    /\bquit (my job|work|smoking|drinking)\b/g,
    /\b(dont|never) (text|message|call|email|contact|write)( \w+)? (and|while|when) driv\w+/g,
    /\bdont (miss|want to miss|forget|worry|mind|know|understand|think|see|have|let|like (the )?(hotel|flight|flights|food|beach|airport|airline|resort|price|place|early|look|heat|idea))\b[^.]*/g,
    /\bdont want to (\w+ )?(go|fly|travel|pay|wait|book|share|stay|leave|drive|lose|change)\b.*/g,
    /\bno more (than|rooms?|flights?|seats?|places|availability|expensive|questions?|winter|rain|work|holidays?|money|dates|hotels?|luggage)\b/g,
    /\bmissed\b/g,
  ],
  deletePhrases: [
    /\b(delete|erase|remove|wipe|destroy|purge|clear|scrub|get rid of) (all |of |any |everything )*(of )?(my|our|the|me) (own |personal |private )*(data|details|info|information|account|profile|records?|history|file|record)\b/,
    /\b(delete|erase|wipe|destroy|forget) (all )?(my |this |the )?(data|details|info|information|personal data|account|records)\b/,
    /\b(delete|erase) (everything|all)( (you|u))?( (have|hold|know|keep|got))?( (on|about) (me|us))?$/,
    /\bright to (be forgotten|erasure)\b|\bgdpr\b|\bforget (me|about me)\b|\berasure\b|\bdata (deletion|erasure|removal)\b/,
    /^(please )*(delete|erase|delete me|erase me|delete my number|erase my number)( please| now| thanks)*$/,
    /\b(data|details|info|information) (deleted|erased|removed|wiped)\b/,
  ],
  yesWords: list(
    'yes y yeah yep yup yea ya yah yess yas yeh aye yessir affirmative absolutely definitely sure ok okay oke okey okie k kk confirm confirmed confirming agreed agree accept correct perfect yesplease approve certainly indeed',
  ),
  noWords: list('no nope nah na noo nop naw never negative nay'),
  startWords: list('start restart unstop subscribe resume resubscribe reactivate begin rejoin reenable'),
  listPhrases: [
    /^(the |my |show |see |view |send |get |please |a |me |full |current |watch |alert |alerts |watching )*(list|lists|watches|watchlist|alerts|watch list|subscriptions|watched)( (please|me|now|my|all|alerts|watches|them|thanks|again))*$/,
    /\b(what|which) (am i|i am|are we|are you|do i|have i|holidays?|hotels?|alerts?|watches|deals?|trips?|ones|are my|is on my|do you)\b.*\b(watch|watching|watched|tracking|track|following|alerts?|signed up|subscribed|list|monitoring|set up|watches|have on|have)\b/,
    /\b(show|see|view|list|tell|send|remind|check|give) (me |us |of |please |again |to )*(all )?(my|the|what|which|all|everything) ?(\w+ ){0,4}(alerts?|watches|list|watching|holidays|tracking|watched|subscriptions|deals i)\b/,
    /\bwhats? (is )?on my (list|watch list|watchlist)\b/,
    /^(my|show my|all my|current) (alerts?|watches|list|holidays|deals)( please| again)?$/,
    /\bhow many (alerts|watches|holidays)\b.*\b(i|have|watching)\b/,
    /^(list|lists) (all|everything|it|my \w+|the \w+|them)( please)?$/,
  ],
  helpPhrases: [
    /^(please |i need |need |some |send |get |can you |hi |hello )*(help|info|information|support|options|menu|commands|instructions|faq|settings)( (me|please|pls|needed|now|thanks))*$/,
    /\b(who|whos|whose) (is|are|s|the hell|this|dis|sent|was|am i|on earth|r)\b.*/,
    /\bwhat (is|are|s) (this|that|these|you|it|going on|the point)\b|\bwhats (this|that|it|all this)\b/,
    /\bhow (does|do|to|can) (this|it|i|you|these) (work|works|use|change|get help)\b/,
    /\bwhat (can|do|should|could) (i|you) (do|say|type|write|reply|send|text)\b/,
    /\b(is this|are you) (a )?(real|bot|human|person|robot|genuine|legit|automated)\b|\bwhere did you get\b|\bhow did you get\b|\bwho gave you\b|\bdo i know you\b/,
    /\b(need|want|some|more|get) (help|info|information|support|assistance)\b|\bhelp me\b|\bspeak to (a|an|some\w*)\b|\bcan you help\b/,
  ],
  polite: list(
    'please thanks thank you hi hello hey hiya dear sorry sir madam mate guys love team now then so just kindly immediately asap right ffs all it this these that them everything me messages message alerts alert texts text messaging texting sending at once already today good morning afternoon evening oh ah um er well actually i want would like to can could will you we my the your for forever and again want id ill do it ok okay must now need regards cheers xx xxx x lol haha xxxx hun pal bro dude omg god damn bloody fucking fuck hell fs bot stop2end be very much',
  ),
};
