import { CONCEPTS } from './english-concepts.ts';
import { compileRules } from './pattern.ts';

const rules = compileRules({
  ...CONCEPTS,
  data: 'data details info information account profile record records history file personal_data stuff',
  erase: `
      delete erase wipe remove destroy purge clear scrub bin shred get_rid_of forget dispose_of expunge deleting
      erasing removing wiping`,
  mine: 'my our the me any all of every everything own personal private holiday your',
  hold: 'have hold got keep know store stored held holding collected has holds possess youve',
  alerts: `
      alerts alert messages watches notifications texts updates trackers tracking watch holidays deals hotels trips
      subscriptions reminders`,
});

export const DELETES = rules([
  '<erase> <mine>{1,6} .{0,1} <data>',
  '<erase> <data> <closer>* $',
  'dont|not .{0,4} hold|keep|store|holding|keeping|storing <mine>* <data>',
  '<erase> everything|all|anything|whatever .{0,2} <you>? <hold>|about|on me|us|on|about|of|from|yous|got|is|has',
  '<erase> <mine>* phone|mobile? number and everything|all|data|details|any',
  '^ <opener>* delete|erase|wipe|purge <me>|everything|all|everything_please? <courtesy>* $',
  '^ <opener>* delete|erase my? number <closer>* $',
  '<erase> me|us|my_number|my_name|everything from your|the|all .{0,2} system|systems|records|database|files|servers|books|data|company',
  'delete|erase|wipe me|us completely|entirely|permanently',
  '<opener> forget all? about? me|us <closer>* $',
  '^ forget about? me|us <closer>* $',
  'forget everything|all .? about|on|you me|us|know|have',
  'right to be_forgotten|erasure|deletion',
  'gdpr|erasure',
  'data|details deletion|erasure|removal',
  '<data> to_be? deleted|erased|removed|wiped|destroyed|gone',
  'want|need|like|request|have|get <mine>* <data> .{0,2} deleted|erased|removed|wiped|destroyed|gone',
  'i|we want|need|would_like|wish to_be? deleted|erased|forgotten',
  'dont|do_not|not|stop hold|keep|store|holding|keeping|storing my .? <data>',
]);

export const LISTS = rules([
  '^ the|my|show|see|view|send|get|please|a|me|full|current|watch|alert|alerts|watching|active|all|can_i_see|hi|hello* list|lists|watches|watchlist|alerts|watch_list|subscriptions|watched please|me|now|my|all|alerts|watches|them|thanks|again|love|mate|x* $',
  'what|which|how_many !time|day|date|airport <alerts>? .{0,2} am|i_am|are|do|have|did|has|is|can|were i|we|you|my|me|our .{0,4} watch|watching|watched|tracking|track|following|follow|alert|alerts|signed|subscribed|list|monitoring|set|watches|on|have|got|asked|running|active|looking_for',
  'what|which .{0,2} <alerts>? <you>? are|is|you? <you>? watching|tracking|monitoring|following|checking_for for? me|us|at|now|currently|$',
  'what|which|how_many <alerts> .{0,2} i|we|my|me',
  'what|which|whats is|are? my .{0,2} <alerts>|list',
  '^ <courtesy>* what|whats is|are? on my .? list|watchlist',
  'what i|we have? .{0,1} signed|set|asked|subscribed up|for|to',
  'what|which have|did|do|am i|we .{0,2} signed|set|asked|got_set|subscribed up|for|you|to',
  'show|see|view|list|tell|send|remind|check|give|display me|us|of|please|again|to|you_please* a? all|everything? my|the|what|which|all|everything .{0,5} <alerts>|list|watching|tracking|watched|following|signed_up|asked_for',
  'remind|tell me|us what|which .{0,2} i|we|you am|have|are|asked|watch|tracking|signed',
  'do|have|are|got|am i|we|there|you|any .{0,2} any|some|got|alerts <alerts>? <alerts> $',
  '^ <courtesy>* do|have i|we still? have|got? one|any|something for|in|on',
  'are|is my .{0,1} alerts|alert|watches still? active|on|running|live|working',
  'what did i|we sign|subscribe|ask|set up|for|to',
  'do|have|did i|we still? have|got|set|set_up an|the|my <alerts>|alert|watch',
  '^ <courtesy>* am|are i|we still .{0,1} down|signed_up|on|watching|tracking|subscribed|getting|following',
  'do|have i|we have|got any|some|an .{0,1} <alerts> .{0,4} $',
  '^ <courtesy>* my|show_my|all_my|current|active|existing .{0,1} alerts|watches|list|holidays|deals|watchlist|alert please|again|thanks|now? $',
  '^ <courtesy>* list|lists all|everything|it|my|the|them|alerts .? please? $',
  '^ <courtesy>* <asking>? list|lists <courtesy>* $',
  'list of my|the|all .{0,2} <alerts>',
  '^ alerts|alert|watch list <courtesy>* $',
]);

export const HELPS = rules([
  '^ <courtesy>* need|some|send|get|can_you|i_need|i_want|want* help|info|information|support|options|menu|commands|instructions|faq|settings|assistance|helpline me|please|pls|needed|now|thanks|os|gwelwch|yn|dda|love|mate|x|plis* $',
  'who|whos|whose|whoever is|are|the_hell|this|sent|was|am_i|on_earth|be|r .*',
  'who you|u',
  'what is|are|was? this|that|these|you|going_on|the_point|all_this|it|it_all <courtesy>* $',
  'what is this|that|these|all_this|all|it all? about|for|service|thing|number|app|message|from|please|to_do',
  'what .{0,1} commands|options|words are|do|can|there|should',
  'what are the|my commands|options|words',
  '^ <courtesy>* explain <closer>* $',
  'explain how|what',
  'how do|does this|these|the|your .{0,1} thing|alerts|service|system|app work',
  'how do|can|would i|we set|sign one|some|up',
  'how do|can|would i|we resubscribe|restart|start|get .{0,3} $',
  'what|which company|business|firm|app|website is|are this|you|it',
  'am i talking|speaking|chatting|writing|texting to|with',
  'how do|can|would i|we add|set|change|create|edit|make|get|move .{0,3} alert|alerts|watch|watches|number|another_holiday',
  'teach|show|tell me|us how',
  'how do|does|to|can|would|should this|it|i|you|these|we work|works|use|change|get_help|start_using|operate',
  'what can|do|should|could|must|am|have|are i|you|we .{0,2} do|say|type|write|reply|send|text|use|press .{0,3} $',
  'what am|are i|we supposed|meant to',
  'is|are this|you|it|that a|an? real|bot|human|person|robot|genuine|legit|automated|machine|computer|people|ai',
  'where|how did you|yous get|find',
  'who gave|give you',
  'do i know you',
  'need|want|some|more|get|require help|info|information|support|assistance|a_hand|hand !carrying|with_luggage|with_bags',
  'help me|us !choose|decide|pick|find|book',
  'speak|talk|chat to|with a|an|someone|somebody|some|real|human|anyone|person',
  '<you> can|could help <me>? <courtesy>* $',
  'can|could|will <you> help|explain|assist <me>? <courtesy>* $',
  'can|could|will <you> help|explain <me>? with_this|with_my_alerts|understand|how|what|please',
  'dont|not|cant understand|sure|know|get|figure|work|good how|what|this|any|it|with|out .{0,6} works|work|does|this|do|phones|phone|use|it|technology|text|means',
  'number|someone|anyone|somewhere i|we|to can|could|to|call|ring? ring|call|phone|speak|contact',
]);

/** START by itself, with no more than courtesy and an excuse beside it. */
export const STARTS = rules([
  '^ <opener>* start|restart|resume|unstop|resubscribe|reactivate|reinstate|reenable|recommence|begin|rejoin|unpause|unmute|restore|renew back? up? sending|messaging|texting|watching|getting|receiving|the_service|up|me|us|it|them|these|this|my|the|our|your|price|holiday|alerts|alert|messages|texts|updates|notifications|service|watch|watches|all|everything|whatsapps|subscription|for|to|want* again|back|up|on|over|please|thanks|now|ta|love|x|mate|from_the_start|ok|pls|plis|eto|re|once_more|lol|haha|xx* $',
  '^ <opener>* subscribe me|us|again|back|please|to|alerts|my|the|now|thanks* $',
  '^ <opener>* put|get|have|bring it|them|these|those|my|the|our|all|price|holiday|alerts|alert|messages|texts|notifications* back on <courtesy>|again* $',
  '^ <opener>* turn|switch it|them|these|those|this|me|us|my|the|our|all|price|holiday|alerts|alert|messages|texts|updates|notifications|service|watch|watches|everything* back? on again|back|please|thanks|now|ta|love|x|mate|ok|the_list|your_list|to_the_list|for_me* $',
  '^ <opener>* turn|switch back? on it|them|these|my|the|our|all|alerts|alert|messages|texts|updates|notifications|everything|again|please|thanks|ta|back* $',
  '^ <opener>* put|add|get|sign|opt|let|have|count|subscribe|take|bring|stick|pop|enrol|register me|us|my_number back on|in|up|onto|to|again|the|your|list|this|for|it|my|alerts|messages|alert|price|holiday|please|thanks|service|ta|love|x|now|mate* $',
  '^ <opener>* opt|let|subscribe|enrol|register me|us in <courtesy>* $',
  '^ <opener>* put|add|stick|pop me|us on|onto the|your list again|please|thanks* $',
  '^ <opener>* sign|opt|enrol|register me|us? back? up|in again? <courtesy>* $',
  '^ <opener>* opt back? in|into again|please|thanks|to|my|the|alerts|messages|now|ta* $',
  '^ <opener>* opt in <courtesy>* $',
  '^ <opener>* i|we? have|want|get|need|give_me|send_me|like|miss|bring my|the|our|your|these|those|price|holiday|all* alerts|alert|messages|texts|notifications|updates|subscription back|again|back_on|on_again|restarted|reinstated|started_again|turned_back_on|switched_back_on please|thanks|now|ta|on|again|love|x* $',
  '^ <opener>+ my|the|our|your|these|those|price|holiday* alerts|alert|messages|texts|notifications|updates|subscription turned|switched|put? back|again|back_on|on_again|restarted|reinstated|started_again <courtesy>* $',
  '^ <opener>* i? want|like back|in in? again? <courtesy>* $',
  '^ <opener>* bring|give|want back my|the|our .{0,1} alerts|alert|messages|texts|notifications|updates <courtesy>* $',
  '^ <opener>* un_unsubscribe me|us? <courtesy>* $',
  '^ <opener>* undo|reverse my|the|that|last? stop|unsubscribe <courtesy>* $',
  '^ <opener>* send me|us|the|my|these* alerts|alert|messages|texts|notifications|updates|subscription again <courtesy>* $',
  '^ <opener>* ignore|undo|cancel|disregard|forget that|the|my|last? stop <courtesy>* carry_on|keep|continue|start|resume sending|going|messaging|them_coming|watching? <courtesy>* $',
]);

/** A reason to lift a stop, which says nothing else. */
export const EXCUSES = rules([
  '^ .{0,4} by|in accident|mistake|error|accidentally|mistakenly <courtesy>* $',
  '^ .{0,3} accidentally|mistakenly .{0,4} $',
  '^ .{0,3} didnt|never mean|meant|intend|want to .{0,5} $',
  '^ <courtesy>* that_was|it_was|was my|the|our .{0,3} $',
  '^ <courtesy>* i|we? have? changed my|our mind|minds <courtesy>* $',
  '^ i|we <told> stop|unsubscribe but i|we have? changed my|our mind|minds <courtesy>* $',
  '^ <courtesy>* ignore|undo|disregard|forget that|the|my|last? stop|message|text|one <courtesy>* $',
  '^ <courtesy>* i|we do|did want|like|love|miss the|my|these|your|them messages|alerts|texts|updates? <courtesy>* $',
  '^ <courtesy>* my mistake|bad|fault <courtesy>* $',
  '^ <courtesy>* oops|whoops|oh_no|silly_me|wrong_button|pressed_the_wrong_button <courtesy>* $',
]);

export const KEEPS = rules([
  '^ <courtesy>* keep|carry_on|continue|leave_them_on them|it|all|my_alerts|the_alerts|going|sending|on|them_on|them_coming|sending_them|sending_me_alerts? please|thanks|on|them|ta|all* $',
]);

const GREETING =
  'hi|hello|hey|hiya|please|oh|ah|and|well|go_on|love|mate|good_morning|good_afternoon|good_evening|morning|afternoon|evening*';
const CONFIRMING =
  '<courtesy>|<yes>|lovely|great|set_up|to_confirm|alert|alerts|the|my|confirm|it_is_me|that_is_me|it_was_me|that_was_me|it_was_me_who_signed_up|i_did|i_do|i_agree|i_am|i_confirm|that_is|right|correct|that_is_right|that_is_correct|that_is_fine|that_is_great|that_is_me|fine|no_bother|no_problem|no_worries|set_it_up|do_it|do|go_ahead|go_on|go_for_it|go_on_then|watch_it|watch_this|watch|send_them|send_me_alerts|all_good|sounds_good|sound|it|i_accept|i_consent|then|my_alert|my_alerts|the_alert|the_alerts|this|that|is_correct|is_right|is_fine|why_not|of_course|sign_me_up|start_it|start|count_me_in';

const confirming = compileRules({
  ...CONCEPTS,
  yes: `
    yes y yeah yep yup yea ya yah yess yas yeh aye yessir affirmative absolutely definitely sure ok okay oke okey okie
    k kk confirm confirmed confirming agreed agree accept correct perfect yesplease approve certainly indeed yh ye
    haan ji`,
});

export const YES_PHRASES = confirming([
  `^ ${GREETING} <yes> ${CONFIRMING}* $`,
  `^ please|ok|<yes>* go_ahead|go_for_it|sounds_good|that_is_me|that_is_right|that_is_correct|that_is_fine|that_is_great|it_is_me|it_was_me|i_do|i_agree|i_confirm|i_accept|i_consent|i_did|i_am|do_it|count_me_in|why_not|of_course|sign_me_up|go_on_then|go_on|sounds_great|sure_thing|all_good|yes_it_is|ja_gerne|va_bene|that_was_me|please_do|watch_it|confirm|set_it_up ${CONFIRMING}* $`,
  '^ reply|replying|text|texting yes $',
  `^ ${GREETING} ok|<yes>* i want|would_like|love this|that|it|them|the|my|alert|alerts|to|confirm|messages* ${CONFIRMING}* $`,
]);
