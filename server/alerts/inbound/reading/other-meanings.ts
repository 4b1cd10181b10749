import { ENGLISH } from './english-words.ts';
import { compileRules } from './pattern.ts';

const rules = compileRules({
  ...ENGLISH,
  trip: `
    holiday booking hotel flight flights trip reservation room order payment insurance ticket tickets parking transfer
    transfers car excursion excursions seat seats`,
  stops: 'stop stops stopping stopped stopover stop_over',
  ours: ['<pronoun>', '<det>* <message>', '<texting>|<getting>|please|alerts'],
});

/** Phrases in which a stop word means something else. They are removed before the stop rules apply. */
export const OTHER_MEANINGS = rules([
  // A STOP sent by mistake, or withdrawn
  'i|we|he|she|they|kid|son|daughter|toddler? .{0,1} pressed|hit|sent|typed|said|clicked|texted|replied|stopped|stop|unsubscribe stop|it|this|these|them|the_alerts|alerts|my_alerts|unsubscribe? by accident|mistake|error',
  'kid|son|daughter|toddler|grandson|granddaughter|child|boy|girl .{0,1} pressed|hit|sent|typed stop',
  'accidentally|mistakenly|wrongly .{0,2} stop|stopped|unsubscribe|cancelled',
  'didnt|never|wasnt .{0,1} mean|meant|want|intend|trying to .? stop|unsubscribe|cancel|opt_out',
  'ignore|undo|cancel|forget|disregard|reverse|scrap my|the|that|last* stop|unsubscribe message?',
  // Stops of buses and flights
  'non|bus|tram|train|metro|coach|taxi|ferry|one|two|three|1|2|3|next|first|last|pit|short|petrol|full|single|many|quick|toilet|lunch|fuel stop|stops|stopping !<ours>',
  'a|an|the|which|any|without|with|what|is_there|our long|short|quick|little|brief|nice|overnight|coffee|food|proper|only|good? stop|stops|stopover|stop_over !<ours>|to|messages|button',
  '<stops> !at_once in|at|by|near|over|off|offs|between|outside|on|along|there|here|somewhere|anywhere|halfway|overnight|until|till|when|before|after|if|gap|watch !your|my_phone|now|please|all|once',
  'stop worrying|dreaming|smiling|laughing|crying|looking|thinking|talking|wanting|checking|booking|searching|going|eating|raining|comparing|teasing|tempting|showing_off|moaning|working|smoking|drinking|flying|kidding|joking|faffing|messing|dithering|waiting|serving|selling|doing',
  'stop it|them|this going_to|being|getting_lost|going_up|going_down|going|dropping|falling|raining|happening',
  'stop you|me|us|the|prices|price from|bus|car|clock|presses|rain|falling|dropping|rising|going_up|going|going_down !<getting>',
  'stopping at|in|with|over|by|off|the_night|here|home|there',
  'nothing|who_is|what_is|no_one|anything stopping',
  'hasnt|havent|has|have|wasnt|isnt|not|never|it|they stopped !these|the_messages|the_alerts|texting|messaging|sending|getting .',
  // Other people and things that stop, end or cancel
  'when|where|what_time|until|how_long|how_often|why|what does|do|did|is|are|will? the|it|they|this|that|these|your|he|she|we|a .{0,4} stop|stops|end|ends|finish|finishes|cancel|cancelled|stopping',
  'does !you .{1,2} stop|stops|end|finish',
  'does|did|will|would|has|have|is|are|could|if it|this|that|they|the|he|she|we|rain|flight|hotel|airline !be_possible .{0,3} stop|stops|stopped|stopping|end|ends|cancel|cancels|cancelled !<ours>',
  'when do|did you stop|end doing|the|selling?',
  'if|unless|before|after|until|once|when i|we|you|they|it .? stop|cancel|end|quit|unsubscribe|stops|ends',
  // Requests not to stop
  '-why|i dont|never|not|without|no_need_to|wont|unless|shouldnt|couldnt|wouldnt ever|ever_you|you|you_dare|you_ever|dare|want_to|want_you_to|want_it_to|want_them_to|need_to|think_of|let_it|let_them|please|just|go_and|get|saying|think_i_will|going_to* stop|stopping|end|cancel|unsubscribe|quit|remove|delete|erase|wipe|forget|opt_out|turn_off|switch_off|turn|switch|take_me_off|take_us_off|lose <pronoun>|<me>|<own>|<det>|<message>|sending|texting|off* my_data|data|details|watching|these|<polite>* $',
  '-why dont|never stop|stops|stopping|quit|cancel|unsubscribe',
  'i|we dont want|need to? stop|cancel|end|unsubscribe|lose <thing>|<own>?',
  'cant|couldnt|wont seem_to? stop|quit !<ours>',
  'cant_stop|wont_stop|unstoppable|nothing_can_stop',
  '-no_need_to|dont|why|you|why_do_you|stop keep|carry_on|continue sending|messaging|texting|them_coming|the_alerts|it_up !me_this|me_these|me_crap|me_rubbish',
  // Ends and cancellations of other things
  'the|at|by|in|until|from|near|week|month|year|season|weekend|dead|east|west|north|south|high|low|top|bottom|back|front|far* end|ends of|in|on|up|date|result|terrace|january|february|march|april|may|june|july|august|september|october|november|december',
  'the|weekend|high|low|deep|other|far|week|which end',
  'end the? year|week|day|month|call',
  'free|flexible|late|full|get|got|been|was|were|being|my_flight|airline|what_if_we|what_if_i|what_if cancel|cancelled|cancellation|cancelling|cancels',
  'can|could|do|did|should|if|need|have|how_do|want|how_can|wanted i|we|they|you|it? to? cancel|cancelled|change the|my|our|a|this|it? .? for_free|<trip>|free|later|without|up_to|within|if|before !<message>',
  'cancel|cancelling|cancelled|end the|my|our|a|this|that|your .? <trip> !<message>|watch',
  'cancellation|cancellations|non_refundable',
  'remove|take_off|drop|delete|cut|add the|a|my|one|some? .? luggage|bags|bag|baggage|transfers|filter|child|infant|breakfast|insurance|extras|meals|adult|person|sunbeds',
  'quit|quitting|leave|leaving|to_quit my_job|work|smoking|drinking|the_job|uni|school|vaping',
  'smoke|smoking .{0,4} quit',
  'off|of season|peak|the_beach|the_coast|the_price|work|school|to|sick',
  'percent|pounds|quid|day|days|time|week|take|drop|how_much|money|better|well|set|half|night|price off !<own>|this|the|your|list',
  'take|put <me>|our_name off|on the? waiting|reserve|guest list',
  'they|hotel|airline|tui|jet2|easyjet|ryanair|the_bank would|will|wont|can|cant|have|had|did|said .{0,4} take|remove|cancel|stop|delete',
  // Wishes about the holiday, and missed messages
  'dont|never text|message|call and|while|when drive|driving',
  'dont miss|want_to_miss|worry|mind|know|understand|think|see|like|let .{0,2} hotel|flight|food|beach|airport|airline|resort|price|place|heat|idea|it?',
  'dont|not want|need|have to go|fly|travel|pay|wait|book|share|stay|drive|change|spend|miss|walk',
  'dont|not want|send|show .{0,3} hotels|flights|places|rooms|with|without .*',
  'no_more than|room|rooms|flights|seats|places|availability|expensive|winter|rain|work|holidays|money|dates|hotels|luggage|delays|left',
  'havent|didnt|not|never|hasnt had|got|get|getting|received|receive|receiving|seen any|my|the|a|your|these? <det>* <message>',
]);
