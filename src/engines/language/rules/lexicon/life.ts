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
