import type { WordClass } from './pattern.ts';

/** The word classes of the English rules. Messages are spelled out first: 'dont' for 'dinnae', 'i am' for 'im'. */
export const ENGLISH: Readonly<Record<string, WordClass>> = {
  you: 'you you_all you_lot you_guys you_people someone somebody anyone',
  me: 'me us him her my_mum my_mother my_dad my_husband my_wife people',
  own: [
    '<me>',
    'my|this|our|the|his|her|that .{0,2} number|phone|mobile|name|details',
    'number|phone|this_number',
  ],

  // Politeness and filler, ignored in commands
  polite: `
    please oops kindly just now then so well right ok okay yes no oh um er ah and but or hi hello hey hiya dear sorry
    sir madam mate mates pal love duck pet hun hen bro dude guys man lad lads team bot bhai yaar babe darling chick
    son howay oi ffs omg wtf god jesus christ lol haha x xx xxx xxxx thanks thank_you very_much many_thanks
    for_the_love_of_god for_gods_sake for_goodness_sake for_fucks_sake bloody fucking damn the_hell the_fuck
    once_and_for_all actually really good_morning good_afternoon good_evening morning afternoon evening a_lot
    seriously honestly look listen all again immediately asap today tonight already forever altogether completely
    totally entirely permanently straight_away right_away at_once for_good for_now this_instant any_more and_desist
    regards kind_regards cheers i_beg_you i_said to_me at_all with_immediate_effect from_now_on as_soon_as_possible
    in_future 24_7 ever if_you_dont_mind if_possible abeg innit sharpish pronto much_appreciated will_you would_you
    can_you could_you do_you_hear_me for_me from_you spammers spammer muppets fam`,
  after: ['<polite>', 'for|on|to|off my|this|our number|phone|mobile', 'off|it|stop|too|here|like'],
  asking: [
    'can|could|will|would|wont|cant|must|should|may|might <you>|we|i|they',
    '<you> can|could|may|must|should|need_to|have_to|want_to|better',
    'i|we want|need|would_like|would_love|wish|prefer|ask|beg|demand|insist|am_trying|try|trying|would_appreciate|have <you>? to?',
    'i|we would be? very? grateful|obliged|glad|pleased|happy|appreciate if|it_if <you> would|could|can?',
    'is_it_possible|would_it_be_possible|is_there_a_way|any_way|any_chance|want|need|wish|help_me|let_me|would_you_mind to|of?',
    'i|we|you? am|are|would? going_to|will? have_to|need_to|must|like_to? ask|need|have? <you>? to',
    'time to',
    'how|where do|can|could|to|would|does|the_hell_do i|we|you|one|she|he?',
    'what is the way|code|word|command to',
    'to',
  ],
  lead: ['<polite>', '<asking>'],

  // Words for our messages
  pronoun: `
    it this these them those that all everything both all_three all_2 all_3 all_4 both_of_them all_of_it all_of_this all_of_these all_of_them all_this all_these
    the_lot the_whole_lot the_whole_thing`,
  message: `
    message messages text texts alert alerts notification notifications update updates whatsapp whatsapps sms email
    emails junk spam pings reminder reminders marketing adverts advertising promos promotions texting messaging
    contact communication communications correspondence subscription subscriptions crap rubbish shit shite stuff
    bollocks nonsense tat garbage bombardment newsletter pinging buzzing thing things watches watch tracking
    monitoring harassment malarkey service`,
  // Adjectives and determiners: nothing that names a holiday
  det: `
    the these this those that your my our all any more further every each such of other bloody fucking damn stupid
    silly constant both daily endless annoying pointless price drop holiday deal deals whatsapp text phone automated
    unwanted so_many so_much so many single another kind sort type future random receiving getting sending irritating
    useless horrible ridiculous marketing spam messages rubbish for and alert stopping persistent awful`,
  thing: ['more|further|any|all? of? <pronoun>', '<det>* <message>'],

  // Words for messaging
  texting: `
    texting messaging contacting sending emailing calling phoning ringing bothering pestering hounding harassing
    spamming bugging annoying hassling pinging buzzing bombarding nagging whatsapping writing notifying alerting
    updating disturbing plaguing badgering flooding clogging dming stalking chasing mailing irritating trying_to_sell
    filling_up clogging_up blowing_up waking mithering winding_me`,
  text: `
    text message contact email call phone ring bother pester hound harass spam bug hassle ping buzz bombard nag
    whatsapp write notify alert disturb badger dm mail texts msg keep_texting keep_messaging be_texting be_messaging
    be_contacting get_in_touch annoy keep_contacting keep_bothering`,
  texted: `
    texted messaged contacted emailed called phoned rung bothered pestered disturbed hassled whatsapped spammed
    notified alerted subscribed`,
  getting: 'getting receiving having seeing get receive hearing have_to_get',

  // Words for ending something
  stop: `
    stop cease quit halt cancel discontinue terminate disable deactivate mute silence unsubscribe abolish axe scrap
    turn_off switch_off shut_off shut_down knock_off call_off get_rid_of do_away_with put_an_end_to put_a_stop_to
    pack_in jack_in sack_off cut_out stopping stop_sending stop_with turn_of switch_of end no_more cancelling`,
  'weak-stop':
    'finish remove kill bin ditch drop close pull block lose withdraw revoke delete erase suspend take_away',
  ceasing: `
    stop quit cease halt desist_from refrain_from give_over give_up leave_off lay_off pack_in knock_off cut_out
    enough_of enough_with done_with no_more pack_it_in knock_it_off no_need_to_keep please_no no_need_for stop_with
    mind_not how_about_not`,
  never: 'dont shant never must_not mustnt not_to shouldnt please_not no_need_to',
  unwilling: `
    dont didnt never no_longer not nor wont wouldnt aint neither isnt arent wasnt doesnt havent shant neednt`,
  softener: `
    really even actually ever be honestly just please you think bloody fucking any_more i we to again particularly
    currently at_all wish_to dare so do well all very longer need_you_to want_you_to bother keep`,
  wanting: `
    want wanting need needing wish require requiring like care_for want_to need_to wish_to like_to asked_for ask_for
    bothered_about bothered_with looking_for keen_on interested_in into sign_up_for signed_up_for agree_to consent_to
    subscribe_to subscribed_to wanted needed appreciate appreciating enjoy use`,
  'after-want': [
    '<after>',
    'any|no more|longer|further',
    'from|off|of <you>|your_company|this_number',
    'on|to|at|in my|this|the|our phone|mobile|number|whatsapp|inbox',
    'coming|cluttering|sent|in_my_life|either|as|because|since|i|we|you|he|she|they',
  ],
  said: `
    said say told tell telling asked ask asking texted text replied reply sent send typed type wrote put pressed
    messaged requested saying shouted begged`,
  fed: 'sick fed_up tired bored annoyed irritated sick_and_tired sick_to_death pissed_off done had_it had_enough',
  'go-away': `
    get_off get_to_f go_away bugger_off sod_off piss_off fuck_off naff_off eff_off f_off feck_off jog_on do_one
    get_lost get_stuffed get_knotted get_tae_fuck get_to_fuck hop_it sling_your_hook on_your_bike buzz_off bog_off
    clear_off push_off beat_it back_off leave_off lay_off pack_it_in pack_that_in pack_in give_over knock_it_off
    cut_it_out give_it_a_rest give_it_up jack_it_in shut_up shut_it put_a_sock_in_it pipe_down do_me_a_favour
    get_out_of_my_phone get_out_of_my_inbox get_out_of_my_life i_am_out count_me_out give_me_peace give_us_peace
    give_us_a_break give_me_a_break leave_it_out call_it_a_day get_bent take_a_hike rack_off quit_it`,
};
