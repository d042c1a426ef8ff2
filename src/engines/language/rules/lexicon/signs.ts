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
