import { ENGLISH } from './english-words.ts';
import { compileRules } from './pattern.ts';

const rules = compileRules({
  ...ENGLISH,
  yes: `
    yes y yeh ok okay k kk sure absolutely definitely confirm confirmed confirming agreed agree accept correct perfect
    approve certainly indeed haan ji affirmative go_ahead sounds_good that_is_me it_is_me i_do i_agree i_confirm
    i_accept i_consent do_it count_me_in why_not of_course sign_me_up go_on_then go_on go_for_it all_good sure_thing
    that_is_right that_is_correct that_is_fine it_was_me that_was_me set_it_up watch_it please_do`,
  watches: 'alert alerts watch watches list lists watchlist notifications texts trackers subscriptions',
  data: 'data details info information account profile record records history file number name',
  erase: 'delete erase wipe destroy purge clear shred get_rid_of forget remove scrub bin',
  records: 'system systems database databases servers records files books',
  removing: 'remove removing take taking delete deleting wipe wiping get getting clear clearing',
  mine: 'my our the me any all of every everything own personal private your',
});

/** Requests to delete personal data. `ASKS_ABOUT_DATA` has the questions about deletion. */
export const DELETES = rules([
  '<erase> .{0,5} <mine> <mine>* .? data|details|info|information|account|profile|record|records|history|file|stuff !from_your_list',
  'gdpr delete|erasure|deletion',
  '^ <lead>* delete|erase|wipe|purge|destroy <me>|everything|all|data|info|details|information|account? <after>* $',
  '^ <lead>* forget about|all_about? me|us <after>* $',
  'forget|delete|erase|wipe everything|anything|all|whatever .{0,2} you|about|on have|hold|know|got|store|me|us',
  '<erase> me|us|my_name completely|entirely|permanently',
  '<erase> me|us|my_name from your|the|all .? system|systems|database|servers|records|data|files',
  '<erase> .{0,3} number and everything|all',
  'right to be_forgotten|erasure|deletion',
  'want|need|like|have|get|request <mine>* data|details|info|information|account|you_hold|you_have|you_know .{0,2} to? be? deleted|erased|removed|wiped|destroyed|gone',
  'i|we want|need|would_like|wish to_be deleted|erased|forgotten',
  'dont|stop|dont_want_you_to hold|keep|store|holding|keeping|storing <mine>* data|details|information|info|number|records',
  'data|details|account deletion|erasure',
  'request|requesting|article_17 deletion|erasure',
]);

/** Questions about personal data that do not request its deletion. */
export const ASKS_ABOUT_DATA = rules([
  '<det>|uk? gdpr|ccpa|dsgvo|rgpd|rodo|dpa',
  'data protection|controller|privacy|request|breach|policy',
  'a_sar|my_sar|sar_request|article_15|copy_of_everything|copy_of_all|what_consent|registered_with_the_ico',
  'privacy|dsar|subject_access',
  'what|which|how_much|how .{0,3} data|info|information|details|personal_data .{0,4} you|me|us|hold|keep|store|have|used',
  'what do|have|does you|your_company|skylark know|hold|got|keep|store|have .{0,2} about|on|of me|us|my_data',
  'what you know|hold|have|store|keep|got .{0,2} me|us',
  'copy|download|export|access|see|send_me|give_me|show_me|view|get|transfer of|to? <mine>* data|details|information|info|personal_data|records',
  'who|where|why|how|when|what|are|do|does|is|will|did|has|have|can .{0,4} <mine>* personal? data|details|info|information|my_number|my_phone_number|my_name|my_account|my_email',
  'where|how did|do you get|find|have|got my|our|this number|phone|details|name',
  'share|sell|shared|sold|pass_on|hand_over .{0,2} data|details|info|information|number|third_parties',
]);

/** Deletion as a topic of questions: 'how do I get my number deleted off your system'. */
export const DELETING = rules([
  'delete|deleting|erase|erasing|wipe|wiping|deleted|erased|wiped .{0,2} number|numbers|stuff|things|data|details|info|information|everything',
  'number|numbers|data|details|info|information .{0,2} delete|erase|wipe|deleted|erased|wiped off|from|of|out? your|the|all? <records>?',
  '<removing> .{0,6} off|from|out_of|of your|the|all <records>',
  'number|numbers|data|details|info|information .{0,2} removed|taken|took|wiped|cleared|scrubbed off|from|out_of|of your|the|all <records>',
]);

export const ASKS = rules([
  '^ <polite>* how|what|which|who|where|why|when|are|is|do|does|did|will|has|have|am|whats',
  'to_know|tell_me|find_out|explain how|what|where|if|whether',
  'explain|describe <mine>* .? privacy|policy|data|process|rights',
]);

/** Messages that mention an earlier deletion and ask for something else. */
export const DELETED_BEFORE = rules([
  'i|we|you .{0,1} deleted|erased|wiped|removed .{0,8} sign|start|back|again|join|rejoin|alerts',
  'sign_up|sign_me_up|join|rejoin again|back .{0,4} deleted|erased|removed',
]);

/** Messages about the hours at which we write. */
export const ABOUT_HOURS = rules([
  '<never>|stop|not|no|please .{0,3} <text>|<texting>|send|<message> .{0,4} at_night|before|after|late|early|in_the_night|overnight|during|while_i|until|between|in_the_middle|weekends|sundays|when_i|at_work|this_late|this_early|so_late|so_early',
  'too|so|bit late|early .{0,3} <texting>|text|<message>',
  'middle of the night',
  '<texting> .{0,3} at_midnight|this_late|this_early|in_the_night',
  'only|just|can_you|could_you|please <text> <me>? .{0,1} in_the|after|before|during|between',
  '^ <lead>* not|never while_i|when_i|at_work|at_night|before|during',
]);

export const LISTS = rules([
  '^ the|my|show|see|view|send|get|please|a|me|full|current|all|can_i_see|hi|hello|active|existing|what_is_on* <watches> please|me|now|my|all|them|thanks|again|love|mate|x|set_up|list|on* $',
  'what|which|how_many <watches>? .{0,2} i|we|you|my .{0,4} watch|watching|tracking|track|following|follow|signed_up|subscribed|monitoring|set_up|alerts|list|asked_for|active|getting|sign_up_for',
  'what|which|how_many <watches> .{0,5} i|we|my|me .{0,5} $',
  'what is|are|have|do on|in|i|my|me .{0,3} list|alerts|watching|watches|signed_up_for|set_up',
  'show|see|view|list|tell|send|remind|check|give <me>|of|please|again|to|you* all|everything? my|the|what|which .{0,5} <watches>|watching|tracking|watched|following|signed_up',
  '^ <polite>* tell_me|show_me|remind_me? what|which <watches>|ones|one|holidays|holiday|trips? am|are|have|do? i|we have|am|are? still|currently? got|have|set? got|still_have|left|on|running|going|active|live|saved|up|set_up <after>* $',
  '^ <polite>* what|which <watches>|ones|one|holidays|holiday|trips? is|are still|currently|all? on|running|active|live|saved|going <after>* $',
  '-how do|have|are|am|did i|we|there|my still? .{0,4} <watches>|watching|signed_up|tracking|subscribed|active|down_for',
  '^ <polite>* <asking>? list <after>* $',
  'list of my|the|all|everything',
  'do|have i|we have|got one|any|something for|in',
]);

export const HELPS = rules([
  '^ <polite>* need|some|send|get|can_you|i_need|i_want|want|more* help|info|information|support|options|menu|commands|instructions|faq|assistance me|please|needed|now|thanks|love|mate|with_this|x* $',
  'who is|are|the_hell|was|am_i? this|these|you|it|that|sent|texting|messaging',
  'who you',
  'what is|are this|that|these|you|going_on|it|all_this .{0,3} $',
  'what|which company|commands|options|words|number|website',
  'what are the|my commands|options',
  'explain|what_does_this_mean|what_does_it_mean',
  'get|need|want|some|have some? help with|my|alerts|this|<after>* $',
  'who .{0,2} speaking|talking|chatting',
  'how do|does|to|can|would|should .{0,4} work|works|use|set_up|sign_up|change|add|restart|resubscribe|start|alert|alerts',
  'what can|do|should|must|happens|am .{0,4} do|say|type|write|reply|send|text|press|supposed_to|yes',
  'is|are|am this|you|i|it|that .{0,2} real|bot|human|robot|genuine|legit|automated|machine|computer|talking|scam|ai',
  'who gave|give you',
  'do i know you',
  'need|want|get|require help|support|assistance|a_hand !carrying|with_luggage|with_bags|choosing|booking',
  'help me|us !choose|decide|pick|find|book|carry',
  'speak|talk|chat to|with a|an|someone|somebody|real|human|anyone',
  'dont|not|cant understand|sure|know|get|figure what|how|this|it .{0,6} work|works|do|this|on|means',
  'number|someone|anyone i|we|to can|could|to call|ring|phone|speak',
]);

/** START, alone or with polite words. */
export const STARTS = rules([
  '^ <lead>* start|restart|resume|unstop|resubscribe|subscribe|reactivate|reinstate|begin|rejoin|unpause|unmute|restore|renew|continue <polite>|back|up|sending|messaging|texting|watching|getting|receiving|me|us|it|them|these|this|my|the|our|your|price|holiday|alerts|alert|messages|texts|updates|notifications|service|watch|watches|whatsapps|subscription|for|to|on|over|once_more|eto* $',
  '^ <lead>* i|we? put|stick|turn|switch|get|have|bring|add|sign|opt|let|count|take|register|give_me|send_me|want|like|miss|need back|in|up? <me>|it|them|these|those|this|my|the|our|your|price|holiday|alerts|alert|messages|texts|notifications|updates|everything|service|number|subscription* back|on|again|in|up|restarted|reinstated|started on|onto|to|in|again|the|your|list|for|it|my|alerts|please|thanks|<after>|back|up* $',
  '^ <lead>* un|undo|reverse|ignore|cancel my|the|that|last* stop|unsubscribe <after>* $',
  '^ <lead>* opt|sign|register <me>? back|in|up <after>|again|to|the|alerts|my* $',
]);

/** A START must contain one of these: 'get my alerts' does not. */
export const STARTS_AGAIN = rules([
  'start|restart|resume|unstop|resubscribe|subscribe|reactivate|reinstate|begin|rejoin|unpause|unmute|restore|renew|back|again|opt_in|opt_me_in|sign_me_up|sign_up|turn_on|switch_on|put_me_on|add_me|on|undo|reverse|continue|count_me_in|let_me_in|register',
  'cancel|ignore my|the|that|last* stop|unsubscribe',
]);

/** Reasons to lift a stop. A START may contain these and nothing else. */
export const EXCUSES = rules([
  '^ .{0,5} by|in accident|mistake|error|accidentally|mistakenly <after>* $',
  '^ .{0,3} accidentally|mistakenly .{0,4} $',
  '^ .{0,3} didnt|never mean|meant|intend|want to .{0,5} $',
  '^ .{0,3} changed my|our mind|minds <after>* $',
  '^ <polite>* ignore|undo|disregard|forget that|the|my|last? stop|message|text|one <after>* $',
  '^ <polite>* my mistake|bad|fault <after>* $',
  '^ <polite>* wrong_button|silly_me|pressed_the_wrong_button <after>* $',
  '^ <polite>* i|we do|did|still want|like|love|miss <det>* <message>|them|it <after>* $',
]);

export const KEEPS = rules([
  '^ <polite>* keep|carry_on|continue|leave_them_on <thing>|going|sending|on|them_on|them_coming|sending_them|me|alerts|the_prices* <after>* $',
  '^ <polite>* dont <stop> <thing>|sending|texting* <after>* $',
]);

export const YES = rules([
  '^ <polite>* <yes> <yes>|<polite>|lovely|great|set_up|to_confirm|alert|alerts|the|my|it_is_me|i_am|i_did|that_is|that_was_me|it_was_me|who_signed_up|me|right|fine|no_problem|no_worries|do|send_them|then|this|that|is_correct|is_right|is_fine|start_it|start|it|sound|great|the_alert|want_them|i_want|want|comma|to|would_like* $',
  '^ reply|replying|text|texting yes $',
  '^ <polite>* <yes> <polite>* send|start|i_want|i_would_like|would_like !no|not|nothing|less|fewer|you to? <me>? get|receive|have? <det>* <message>|drops|deals|them|these <after>* $',
  '^ yes please|thanks|thank_you <polite>* !no|not|dont|but|later|help|list|never . $',
  '^ <polite>* i want|would_like|love <thing>|that|it|them|to_confirm <thing>? <after>* $',
]);

/** A yes from a person who is tired of being asked: 'Yes I confirm. Stop asking'. */
export const WEARY_YES = rules([
  '^ <polite>* <yes>|i_said_yes|said_yes|already_said_yes|i_already_said_yes .{0,6} stop|quit|dont|no_need_to|enough keep|to|me|with* asking|ask|nagging|nag|reminding|remind|confirming|pestering|bugging|badgering .{0,4} $',
  'stop|quit asking|nagging|reminding .{0,4} i|ive|already .{0,3} yes|confirmed|confirm',
]);

export const NO = rules([
  '^ <polite>* no|never|negative|nay|naw|nop|noo|not_me|it_wasnt_me|wasnt_me|that_wasnt_me|not_today|rather_not|i_would_rather_not|no_thanks|no_thank_you no|<polite>|not|me|it|wasnt|was|i|thank|you|didnt|isnt|this|that|is|all|good|alright|ta|are|am|right|naw|it_isnt_me|you|your* $',
]);
