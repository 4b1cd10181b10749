import type { Concept } from './pattern.ts';

/**
 * What English rules are made of. Messages reach them corrected: 'dont' for 'dinnae', 'no more' for 'nae mair', 'them' for
 * 'em', 'i am' for 'im'.
 */
export const CONCEPTS: Readonly<Record<string, Concept>> = {
  // People
  you: 'you you_all you_lot you_guys you_people someone somebody anyone your_company your_bot',
  me: 'me us him her',
  person: [
    '<me>',
    'number|phone',
    'my|this|our|the|his|her .{0,2} number|phone|mobile|name|contact|line|handset|cell',
  ],

  // Courtesy and noise that changes nothing beside a command
  courtesy: `
      please oops whoops kindly just now then so well right ok okay yes no oh um er ah and but or hi hello hey hiya
      dear sorry sir madam mate mates pal love duck pet hun hen bro dude guys man lad lads team bot bhai yaar babe
      darling chick son howay haway oi aye yeah ffs omg god jesus christ lol haha x xx xxx xxxx thanks thank_you
      ever_so_much very_much many_thanks very_kindly for_the_love_of_god for_gods_sake for_goodness_sake
      for_fucks_sake for_crying_out_loud bloody fucking damn the_hell the_fuck once_and_for_all actually really
      good_morning good_afternoon good_evening morning afternoon evening a_lot wheesht seriously honestly look listen
      all`,
  closer: [
    '<courtesy>',
    'for|on|to my|this|our number|phone|mobile',
    'fam|my_friend|abeg|spammer|spammers|from_you|from_you_lot',
    'again|immediately|asap|today|tonight|already|forever|altogether|completely|totally|entirely|permanently|thanks|ta|straight_away|right_away|right_now|at_once|for_good|for_now|this_instant|this_minute|any_more|and_desist|off|it|will_you|would_you|can_you|could_you|wont_you|do_you_hear|you_hear|regards|kind_regards|best_wishes|yours|god_bless|cheers|i_beg_you|i_said|i_am_begging_you|before_i_.|to_me|at_all|pronto|sharpish|stop|with_immediate_effect|from_now_on|from_today|as_soon_as_possible|going_forward|in_future|in_the_future|ever|stopall|appreciated|much_appreciated|if_you_dont_mind|if_you_would|if_possible|innit|like',
  ],
  asking: [
    'can|could|will|would|wont|cant|must|should|may|do|might <you>|we|i|they|this|these',
    '<you> can|could|may|must|should|need_to|have_to|want_to|better|might_as_well|will',
    'i|we|he|she want|need|would_like|would_love|wish|would_prefer|prefer|ask|beg|demand|require|insist|am_asking|am_begging|am_telling|would_appreciate|expect|really_want <you>? to?',
    'i|we want|need|would_like|wish|am_trying|try|trying|have|had|am_looking|would_rather|am_going|just_want to?',
    'is_it_possible|is_there_a_way|any_way|any_chance|a_way <you>? to|of?',
    '<how>',
    'i|we? would|will be|feel most|very|so? grateful|obliged|glad|pleased|happy|delighted|appreciative|thankful if <you> would|could|can? please|just|kindly?',
    'want|need|like|trying|tryna|wish|help_me|let_me|feel_free to?',
    'may|would_you_mind',
    'to',
  ],
  how: [
    'how|where do|can|could|to|would|might|should|the_hell_do|on_earth_do|does i|we|you|one|he|she|anyone? <courtesy>?',
    'what is the? way|code|word|command|number to',
    'know|tell_me|show_me|explain how to',
    'what do i text|send|press|type|do|reply|need_to_do to',
  ],
  opener: ['<courtesy>', '<asking>'],

  // What is ours: messages, and pronouns for them
  pronoun: `
      it this these them those that all everything all_of_it all_of_this all_of_these all_of_them all_this all_these
      the_lot the_whole_lot the_whole_thing whole_thing`,
  noun: `
    message messages text texts alert alerts notification notifications update updates whatsapp whatsapps sms email
    emails junk spam ping pings reminder reminders marketing advert adverts ads advertising promo promos promotion
    promotions texting messaging contact communication communications correspondence subscription subscriptions crap
    rubbish shit shite stuff bollocks nonsense tat bumf drivel garbage bombardment pestering newsletter mailings
    buzzing bleeping pinging beeping thing things watches tracking monitoring carry_on malarkey lark guff notices
    bother harassment texts_and_alerts`,
  det: `
    the these this those that your my our all any more further every each such of other bloody fucking damn stupid
    silly constant daily endless annoying pointless price holiday whatsapp text phone automated unwanted so_many
    so_much single another kind sort type next future random`,
  thing: ['any? more|further? of <pronoun>', '<pronoun>', '<det>{0,4} .{0,2} <noun>'],
  offers: 'offers deals holidays prices drops bargains',

  // Acts
  ceasing: `
      stop quit cease halt desist_from refrain_from give_over give_up leave_off lay_off pack_in knock_off cut_out
      enough_of enough_with done_with discontinue no_more pack_it_in knock_it_off stop_with stop_all have_done_with
      leave_off_with give_over_with ease_off back_off_with no_need_to_keep do_you_have_to_keep stop_bloody
      stop_fucking stop_always stop_constantly`,
  ending: `
      stop cease quit halt cancel discontinue terminate disable deactivate mute silence unsubscribe abolish axe scrap
      kill_off turn_off switch_off shut_off shut_down knock_off call_off get_rid_of do_away_with put_an_end_to
      put_a_stop_to bring_an_end_to pack_in jack_in sack_off knock_on_the_head stop_with stop_all cut_out switch_of
      turn_of stop_sending stop_getting stop_receiving cancel_out have_done_with pack_up`,
  'weak-ending': `
      end finish remove kill bin ditch drop close clear pull block lose cut scrub withdraw revoke wind_up finish_up
      retract get_off get_out_of come_off come_out_of delete erase`,
  contacting: `
      texting messaging contacting sending emailing calling phoning ringing bothering pestering hounding harassing
      spamming bugging annoying hassling pinging buzzing bombarding nagging whatsapping writing notifying alerting
      updating disturbing plaguing badgering flooding clogging harrassing dming stalking tormenting interrupting
      blasting chasing mailing hitting_me stressing mugging bothers winding_me irritating wasting_my blowing_up
      filling_up doing_my_head trying_to_sell selling_me waking clogging_up bleeping beeping wrecking_my disturbing_my
      targeting hmu messages_to`,
  contact: `
      text message contact email call phone ring bother pester hound harass spam bug hassle ping buzz bombard nag
      whatsapp write notify alert disturb badger dm mail message_me texts msg keep_texting keep_messaging
      keep_contacting keep_pinging keep_on_texting keep_on_messaging be_texting be_messaging be_contacting
      get_in_touch reach_out annoy plague stalk contacted`,
  contacted: `
      texted messaged contacted emailed called phoned rung bothered pestered disturbed hassled whatsapped spammed
      notified`,
  getting: 'getting receiving having seeing get receive hearing hear_from hearing_from',
  told: `
    said say told tell telling asked ask asking texted text replied reply sent send typed type wrote put pressed
    messaged requested keep_saying saying shouted screaming begged repeat repeating`,

  // Denying
  never: 'dont shant never must_not mustnt not_to shouldnt no_need_to please_not nobody',
  unwilling: `
      shant neednt shall_not cannot_say dont didnt never no_longer not nor wont wouldnt aint neither isnt arent wasnt
      doesnt nobody do_you_think_i cant_say_i_am`,
  softener: `
      really even actually ever be honestly just please you think you_to bloody fucking any_more i we bother bothering
      to again particularly currently at_all for_one wish_to dare so go that well all terribly overly very`,
  wanting: `
      want wanting need needing wish require requiring like_receiving like_getting care_for care_about want_to need_to
      wish_to like_to asked_for ask_for bothered_about bothered_with bothered_by after looking_for fussed_about
      fussed_on keen_on interested_in interested_by into want_or_need need_or_want sign_up_for signed_up_for
      have_time_for have_any_use_for bothered with into keen appreciate agree_to consent_to agreed_to subscribe_to
      subscribed_to wanted needed care appreciating enjoy`,
  'after-want': [
    '<closer>',
    'any|no more|longer|further',
    'from|off|of you|yous|your_company|this_number|now_on',
    'on|to|at|in my|this|the|our phone|mobile|number|whatsapp|inbox',
    'on|to|at here|it|me|us|whatsapp|all',
    'coming|cluttering|sent|in_my_life|either|as|cos|because|since|nor|round_here|popping_up|going_off|pinging|thank_you_very_much',
    'i|we|you|he|she|they|its|it',
  ],

  // Feelings
  fed: `
    sick fed_up tired bored annoyed irritated sick_and_tired sick_to_death sick_of_it fed_up_to_the_back_teeth
    browned_off cheesed_off pissed_off hacked_off done over finished through knackered had_it had_enough
    had_it_up_to_here up_to_here`,
  'clause-start': `
      i im am are is we my this it you your or because thanks she he they not no dont ffs am our who why how what
      never there too wrong leave take remove unsubscribe delete get enough`,
  'go-away': `
      get_off get_to get_to_f go_away bugger_off sod_off piss_off fuck_off naff_off eff_off jog_on do_one get_lost
      get_stuffed get_knotted get_tae_fuck get_to_fuck hop_it sling_your_hook on_your_bike buzz_off bog_off clear_off
      push_off beat_it back_off leave_off lay_off pack_it_in pack_that_in pack_in give_over give_it_over knock_it_off
      knock_it_on_the_head cut_it_out give_it_a_rest give_it_up give_it_a_break give_up jack_it_in chuck_it_in jack_it
      sack_it_off shut_up shut_it zip_it put_a_sock_in_it pipe_down belt_up bore_off swivel take_a_hike get_bent
      get_out_of_my_phone get_out_of_my_inbox get_out_of_my_life get_out_my_phone do_me_a_favour_and_go i_am_out
      count_me_out count_us_out get_out_of_here on_yer_bike feck_off f_off rack_off shove_off mind_your_own_business
      give_me_peace give_us_peace give_me_some_peace give_us_a_break give_me_a_break wind_your_neck_in leave_it_out
      leave_it_there call_it_a_day cut_it jog_off bugger_aff clear_out wrap_it_up haud_your_wheesht quit_it`,
};
