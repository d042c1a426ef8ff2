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

/** Marks a single turn as a plan before the planning phase starts. */
export const agreesNow = /\b(?:shall we (?:say|write|agree|put)|can we agree|is that agreed|so (?:we've |it's )?agreed)\b/i
export const offers =
  /\b(?:i can do that|i could do that|i'd take|i'll take|(?:i could|i'll|i can|i'd|i will) (?:do|try|pay|cook|text|ring|call|write|go|ask|set|put|take|bring|buy|make|start|stop|tell|stay|stand|wait|keep|leave|send|speak|walk|get|turn|give|come)|deal\b)/i

/** Verbs about the session itself: "let's look at" is the agenda, not the plan. */
export const momentVerbs =
  /^(?:(?:just|also|maybe|first|now|then|quickly|really|both|all|perhaps) )*(?:talk|look at|look back|see (?:if|how|what|whether)|start|go (?:over|back|through|into|on)|ask|listen|check (?:that|if|we|in with|first|how)|come back|stay with|say|tell|hear|pause|stop there|slow|think about (?:that|this)|notice|imagine|close your|breathe|put (?:it|that)|be honest|stop you|interrupt|get|do (?:that|this|it) (?:now|here|together)|leave (?:it|that)|give you a (?:moment|minute|second)|turn|move on|wonder|rather)\b/i
