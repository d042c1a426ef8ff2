export const backchannelWords = new Set(
  'mm mhm hm hmm mmhm mm-hmm mm-hm uh-huh uhhuh okay ok right yeah yes yep sure see got it i wow great exactly oh aha ah no good alright all fine lovely nice thanks thank you'.split(
    ' ',
  ),
)

export const smallTalk =
  /\b(?:hello|hi there|good (?:morning|afternoon|evening)|how are you|nice to see you|weather|raining|traffic|parking|park(?:ed)?|have a seat|sit down|take a seat|have a good|can you hear me|hear me|camera|mute|muted|copay|bye|goodbye|take care|see you|see ya|cheers|coffee|tea or|water|cold out|the bus|the train|radio|wifi|connection|frozen|screen)\b/i

export const instruction = new RegExp(
  [
    '\\b(?:hey|ok|okay|dear|hello|listen|attention)[, ]+(?:computer|siri|alexa|google|assistant|robot|machine|scribe|ai|chat ?gpt|claude|gemini|copilot|afterword|note ?taker|transcriber)\\b',
    "\\b(?:whoever|whatever|whichever|anyone|somebody|someone)(?: is| are|'s)? (?:\\w+ )?(?:typing|listening|writing|reading|recording|transcribing|taking notes)\\b",
    '\\b(?:ignore|disregard|forget|override) (?:all |any |the |your |my |every |of )*(?:previous|prior|above|earlier|other|former) (?:instruction|prompt|rule|order|statement)',
    '\\b(?:system prompt|language model|as an ai|prompt injection)\\b',
    '\\bthe (?:note|notes|record|summary|report|transcript) (?:must|should|shall|has to|needs to|is to) (?:say|state|read|include|contain|mention)\\b',
    '\\b(?:dear|to the|message to the|instructions? (?:for|to) the) (?:note|transcript|software|program|app|computer|model|ai)\\b',
    '^(?:please )?(?:write|put|type|record|add|state|insert)(?: it| this| that)? (?:down )?(?:in|into|to|on) (?:the|my|your) (?:note|notes|record|summary|report|chart|transcript)\\b',
    '^(?:computer|siri|alexa|assistant|robot|ai)\\b',
  ].join('|'),
  'i',
)

export const hypothetical =
  /\b(?:what if|as if|would have|would've|could have|could've|should have|should've|might have|imagine|pretend|suppose|i'd|if (?!i'm honest|i am honest|i'm being honest|i remember|you ask me|you like|you see what)(?:i|you|we|he|she|they|it|there|somebody|someone)\b)/i

export const reportedSpeech =
  /\b(?:said|says|saying|told|tells|asked me|asks me|asked if|was like|were like|he's like|she's like|i'm like|they're like|goes|shouted|yelled|texted me|called me|according to|reckons|they think|he thinks|she thinks)\b/i

export const humour =
  /\[(?:laugh\w*|chuckl\w*|giggl\w*)\]|\b(?:kidding|joking|just a joke|only messing|pulling your leg|ha ha|haha)\b/i
export const oath = /\b(?:fuck\w*|shit\w*|bloody|goddamn|bastard|bitch|christ|jesus)\b/i
export const address = /\b(?:doc|doctor,|ma'am|sir|mate|love,|mum,|mom,|dad,)\s*[,.?!]?$/i

export const unsure = /\bi (?:don't know|dunno|guess|mean|wonder|wish|don't think so|suppose)\b/i

export const opensWork =
  /\b(?:last (?:time|week|session|month|appointment)|since (?:we|the last|i saw|you)|how(?:'s| is| was| has| have)(?: \w+){0,3} (?:week|weeks|fortnight|things|been|month|days)|how have (?:you|things)|where (?:are|shall|would|do) (?:things|we|you)|what (?:brings|brought|would you like|shall we|do you want)|tell me|on your mind|so,? (?:um,? )?(?:how|what|where|last|it's)|what's been|agenda|first (?:session|visit|meeting)|i'd like to start|want to start)\b/i

export const closesWork =
  /\b(?:bye|goodbye|see you|take care|have a (?:good|nice|lovely)|enjoy|cheers|safe (?:trip|journey|home)|way out|the door|thank(?:s| you) (?:so much|for today|very much)|until (?:then|next)|we(?:'ll| will) stop there|that's our time|out of time)\b/i

export const functionWords =
  /\b(?:retire\w*|redundan\w*|unemploy\w*|work\w*|shifts?|boss|manager|deadline|called in sick|sick leave|signed off|job|jobs|meeting|interviews?|applications?|missed|school|college|university|exams?|grades|class(?:es)?|chores|shower\w*|out of bed|leave the house|left the house|driv(?:e|ing)|bills|rent|money|debts?|kids|children|parent(?:s|ing)|partner|husband|wife|marriage|boyfriend|girlfriend|friends?|hobb(?:y|ies)|exercise|gym|swim\w*|swam|walk(?:ed|ing|s)?|lunch(?:es)?|party|parties|half days|hours)\b/i

export const relationWords =
  /\b(?:my (?:mum|mom|mother|dad|father|parents|sister|brother|son|daughter|husband|wife|partner|boyfriend|girlfriend|ex|boss|friend|flatmate|roommate|family|kids|children|in-laws|aunt|uncle|cousin|nan|gran\w*|colleague)|argu(?:e|ed|ing|ment)s?|row\b|rows\b|fight(?:s|ing)?\b|fought|split up|broke up|separat(?:ed|ion)|divorc\w*|wedding|married|jealous|trust\b|affair|sex\b|intimacy|closer|distant)\b/i

export const historyWords =
  /\b(?:diagnos\w*|hospital\w*|inpatient|surger\w*|operation|years ago|months ago|since i was|when i was|growing up|as a (?:kid|child|teenager)|childhood|my (?:mother|father|parents|dad|mum|mom) (?:had|was|were|died|left|drank|used)|divorc\w*|died|passed away|death of|funeral|lost (?:my|his|her|the|a) |deployed|army|arrested|court|probation|immigrat\w*|emigrat\w*|moved (?:here|back|to|out|in)|therapy before|counselling before|seen (?:a|someone)|family history|runs in|was born|birthday|anniversary)\b/i

export const strengthWords =
  /\b(?:proud|managed (?:to|it)|helped|helps|supportive|faith|pray\w*|rely on|good at|got through|get through|reached out|used my|finished|enjoy\w*|better than|for the first time|did it|i spoke|easier than|calmer|laughed together|looking forward|hopeful|grateful|relieved|relief|stone off)\b/i

export const goalWords =
  /\b(?:goals?|want to be able|able to|hope to|hoping to|work on|change\b|cut(?:ting)? down|cut back|quit\b|get back to|like my life|ready to|first step|aim(?:s|ing)?\b|hope for|get out of (?:this|therapy|here)|improve|stop (?:being|feeling|doing|drinking|smoking))\b/i

export const changeTalk =
  /^(?:(?:and|so|but|well|yeah|because|honestly)[, ]+)*i(?:'m| am)? (?:want to|need to|going to|'d like to|would like to|am going to|am ready to|ready to|decided to|hope to|have to|'ve decided)\b/i

export const evaluation =
  /\b(?:that helps|helps?\b|helped|makes sense|that's (?:fair|true|right|it|good|nice|hard|new|different)|i (?:like|hate) that|don't know about that|hadn't thought|never (?:said|thought|put) it|lighter|easier|harder|strange|odd|weird|calmer|(?:a )?(?:lot|bit|little) (?:less|more|better|worse)|better)\b/i

export const planWords =
  /\b(?:homework|practi[sc]e|try (?:this|that|it|the|to|out)|this week|before (?:next|we|you|then)|between now|by (?:next|monday|tuesday|wednesday|thursday|friday|saturday|sunday|noon|midnight|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)|then)|write (?:it |that |them |this )?down|writ(?:e|ing)\b|note down|journal\w*|log\b|diary|calendar|worksheet|thought record|schedul\w*|next (?:week|session|appointment|time|month|fortnight)|same time|every (?:other )?(?:week|day|night|morning|evening)|once a (?:week|day)|twice a (?:week|day)|refer\w*|consult\w*|release of information|crisis line|helpline|continue|keep (?:the|up|on|doing|going|it|that|a)|follow[- ]up|check in|bring\b|ring\b|call\b|phone\b|text\b|email|book\b|appointment|minutes|evenings?|monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|fortnight|twice|weekend)\b/i

export const weekday = /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b/i

export const homeworkWords =
  /\b(?:homework|exercises?|practi[sc]e|diary|log\b|journal|worksheet|thought record|record\b|write|letter|list|read(?:ing)?|page|book\b|call\b|ring\b|phone call|text\b|message|email|gp\b|doctor|surgery|gym|walk(?:s|ing)?|run(?:s|ning)?|swim(?:s|ming)?|yoga|class|choir|club|cook(?:ing)?|meals?|breakfast|lunch|dinner|tea\b|shop(?:ping)?|bus\b|train\b|breathing|relaxation|mindfulness|meditat\w*|alarm|timer|bedtime|screen|phone\b|group\b|meeting|video)\b/i

export const referralWords =
  /\b(?:refer(?:ral|red|ring)?\b|gp\b|doctor|psychiatrist|surgery|clinic|social worker|lawyer|support group|bloods?\b|blood test|dietiti?an|physio\w*|night line|crisis (?:line|team)|helpline|988|emergency)\b/i

export const planPivot =
  /\b(?:(?:for|over|during|until) (?:this|the|next|the next|the coming) (?:week|fortnight|month|couple of weeks|few days)|for next (?:week|time)|between now and|before (?:we|next|i see you)|how about (?:the|we|you|trying|this)|next (?:step|rung)|what would (?:help|you like to (?:try|do))|what (?:do you want to|could you|might you|will you|would you be willing to|shall we|are you going to) (?:aim|try|do|take|practi[sc]e|work)|would you (?:be up for|be willing|do\b|try|like to try)|when (?:could|will|would|can|might) you (?:do|say|tell|ring|call|start|try|go)|what would you like to (?:happen|do (?:about|next))|what would be (?:a|one|the|your) |\b(?:one|a|some)(?:thing)? (?:\w+ )?you (?:could|might) (?:do|try|change)|homework|i'd like (?:you|us) to|let's (?:plan|agree|say|try|set)|what will you|so the plan|to (?:take away|try)|agree(?:d)? on|go home with)\b/i

export const nextSession =
  /\b(?:(?:next|see (?:you|each other)|can you (?:do|make|come)|meet|speak|talk|back|again|book(?:ed)?|appointment|session)\b.{0,40}\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|\w+(?:st|nd|rd|th)\b|week|weeks|fortnight|month|same time|at (?:\w+|half past \w+))|(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday),? (?:the )?(?:\w+-?(?:first|second|third|th)|\d{1,2}(?:st|nd|rd|th)?)\b|same time(?:,? same place)?(?: next week)?)/i

export const agreesNow = /\b(?:shall we (?:say|write|agree|put)|can we agree|is that agreed|so (?:we've |it's )?agreed)\b/i
export const offers =
  /\b(?:i can do that|i could do that|i'd take|i'll take|(?:i could|i'll|i can|i'd|i will) (?:do|try|pay|cook|text|ring|call|write|go|ask|set|put|take|bring|buy|make|start|stop|tell|stay|stand|wait|keep|leave|send|speak|walk|get|turn|give|come)|deal\b)/i

/** Verbs about the session itself: "let's look at" is the agenda, not the plan. */
export const momentVerbs =
  /^(?:(?:just|also|maybe|first|now|then|quickly|really|both|all|perhaps) )*(?:talk|look at|look back|see (?:if|how|what|whether)|start|go (?:over|back|through|into|on)|ask|listen|check (?:that|if|we|in with|first|how)|come back|stay with|say|tell|hear|pause|stop there|slow|think about (?:that|this)|notice|imagine|close your|breathe|put (?:it|that)|be honest|stop you|interrupt|get|do (?:that|this|it) (?:now|here|together)|leave (?:it|that)|give you a (?:moment|minute|second)|turn|move on|wonder|rather)\b/i
