export interface SymptomKind {
  readonly topic: string
  readonly pattern: RegExp
}

export const symptomKinds: readonly SymptomKind[] = [
  {
    topic: 'sleep',
    pattern:
      /\b(?:sleep\w*|slept|insomnia|nightmares?|awake|waking|wake up|woke|bad dreams?|asleep|nap(?:s|ping)?\b|a night's rest)\b/i,
  },
  {
    topic: 'appetite',
    pattern:
      /\b(?:appetite|eating (?:less|more|normally|properly|much|well)|not eating|can't eat|off (?:my|your) food|weight|skipp\w* meals|binge\w*|purg\w*|hungry)\b/i,
  },
  { topic: 'energy', pattern: /\b(?:energy|tired\w*|exhaust\w*|fatigue\w*|worn out|drained|knackered|no get up)\b/i },
  {
    topic: 'concentration',
    pattern:
      /\b(?:concentrat\w*|focus(?:ed|ing)?\b|memory|forgetful|foggy|brain fog|mind (?:goes|went) blank|(?:go|going|went) blank)\b/i,
  },
  {
    topic: 'mood',
    pattern:
      /\b(?:mood\w*|depress\w*|feel(?:ing)? (?:\w+ )?(?:low|down|flat|empty|numb|sad|awful|terrible|dreadful|better|worse)|felt (?:\w+ )?(?:low|down|flat|empty|numb|sad|awful|dreadful|better|worse)|flat\b(?! (?:in|on|at|above|below|mate|share|white))|hopeless\w*|worthless|useless|pointless|fed up|don't know what to do with (?:myself|yourself)|guilt\w*|asham\w*|shame\b|cry(?:ing)?\b|cried|tear(?:s|ful)\b|lonel\w*|isolat\w*|bored\b|sad(?:ness)?\b|miserabl\w*|embarrass\w*|useless|grie(?:f|ve|ving)|miss (?:him|her|them)|unhappy|down days?)\b/i,
  },
  {
    topic: 'anxiety',
    pattern:
      /\b(?:anxi\w*|worr(?:y|ied|ies|ying)\b|panic\w*|heart (?:racing|pounding|races|pounds|was going|goes|raced|thumping)|racing (?:heart|thoughts)|on edge|restless|tense|tension|avoid\w*|nervous\w*|afraid|scared|frighten\w*|fear\w*|dread\w*|terrified|overwhelm\w*|stress\w*|shaky|trembl\w*|can't breathe|couldn't breathe|chest (?:tight|pain|was tight)|tight chest|phobi\w*|blush\w*|freeze|froze)\b/i,
  },
  {
    topic: 'anger',
    pattern:
      /\b(?:irritab\w*|ang(?:er|ry)\b|rage\b|furious|snapp(?:ed|y|ing)|lost (?:my|it|his|her) temper|temper\b|shout(?:ed|ing)?|yell(?:ed|ing)|threw|frustrat\w*|resent\w*)\b/i,
  },
  {
    topic: 'trauma',
    pattern:
      /\b(?:flashbacks?|trigger(?:ed|s|ing)?|dissociat\w*|trauma\w*|intrusive|jumpy|startl\w*|hypervigilan\w*|reliv(?:e|ing)|back in that)\b/i,
  },
  {
    topic: 'compulsions',
    pattern:
      /\b(?:obsess\w*|compuls\w*|checking\b|check (?:the|that|if|my)\b|ritual\w*|contaminat\w*|washing my hands|count(?:ing)? (?:to|the|things))\b/i,
  },
  {
    topic: 'body',
    pattern:
      /\b(?:pain\w*|headaches?|migraine\w*|stomach|nausea\w*|sick(?:ness)?\b(?! (?:leave|note|pay|day|of))|dizz\w*|ache\w*|numbness|yawn\w*|dry mouth|sore)\b/i,
  },
  {
    topic: 'thoughts',
    pattern:
      /\b(?:belie(?:f|ve|ved)\b|convinced|thoughts?\b(?! (?:so|it|i|he|she|we|they|you|that|about it))|ruminat\w*|overthink\w*|burn(?:t|ed)? out|failure|stupid|not good enough|my fault|blame\w*)\b/i,
  },
]

export function symptomTopic(text: string): string | null {
  return symptomKinds.find(({ pattern }) => pattern.test(text))?.topic ?? null
}
