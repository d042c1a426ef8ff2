import type { Cut } from '../sentences.ts'

/**
 * Where a clinician who is written down without stops begins a new statement: an examined part, a problem of the plan,
 * an order, a result. Needed because these come in one breath.
 */
const begins = new RegExp(
  `\\s(?=(?:(?:okay|alright|all right|now|so|and|but|then|also) )*(?:${[
    'on (?:your|the|his|her) (?:[\\w-]+ ){0,3}exam(?:ination)?\\b',
    'for (?:your|the|his|her) (?:first|second|third|fourth|fifth|last|next|other|[\\w-]+)(?: [\\w-]+){0,2} problem',
    "(?:i'm|i am|we're|we are) (?:gon na|gonna|going to)",
    "(?:i|we) (?:want|wan na|wanna|would|recommend|do appreciate|appreciate|do n't|don't|think|believe|reviewed|do (?:see|hear|feel|recommend|want))\\b",
    "(?:i|we)(?:'ll|'d| will)\\b",
    "let's\\b|let me\\b|let us\\b",
    "there (?:is|are|was|were|'s|does)\\b|there's\\b",
    'your (?:[\\w-]+ ){1,3}(?:is|are|was|were|looks?|sounds?|shows?|came|has|have|did|does)\\b',
    "you (?:do|did)? ?(?:have|had|need|should|can|could|may|might|also)\\b|you're\\b|you've\\b|you said\\b",
    '(?:continue|weigh|increase|decrease|start|stop|call|follow up|come back|take)\\b (?:on |with |taking |using )?(?:your|the|me|it|yourself|that|us|a|to)\\b',
    "(?:it|this|that) (?:is|was|does|looks?|sounds?|shows?|showed|appears?)\\b|(?:it|that)'s\\b",
    '(?:do|did|does|have|are|were|is|has|any|how|what|when|where)(?: about| often| long| much| many| far)? (?:you|your|that|there|it|the|problems?|other|history|pain|changes?)\\b',
    'looking at\\b|looks like\\b|sounds like\\b|tell me\\b|any (?:other )?questions\\b',
  ].join('|')}))`,
  'gi',
)
/** After one of these the statement goes on. */
const goesOn =
  /(?:^|\s)(?:that|if|when|because|as|what|how|where|who|which|why|since|until|before|after|than|like|think|know|hope|feel|says?|said|see|sure|makes?|maybe|to|of|with|for|in|on|at|and|but|or|the|a|an|is|was|are|not|whether|while|once|so|now|then|also|okay|alright|just|go|though|although|from|by|about|even|only|you|i|we|they|he|she|it|your|my|our|na|gonna|wanna|do|did|does|have|has|had|would|could|can|should|will)$|\b(?:on|for) (?:your|the|his|her) (?:[\w-]+ ){0,4}(?:exam(?:ination)?|problem)$/i

const longestWhole = 28

/** A run without stops, or a sentence too long to read, in the statements that a visit's wording shows. */
export function cutVisit(text: string, cut: Cut, unpunctuated: boolean): Cut[] {
  if (!unpunctuated && text.slice(cut.from, cut.to).split(/\s+/).length <= longestWhole) return [cut]
  const cuts: Cut[] = []
  let from = cut.from
  for (const match of text.slice(cut.from, cut.to).matchAll(begins)) {
    const to = cut.from + match.index
    const before = text.slice(from, to)
    if (before.trim().split(/\s+/).length < 3 || goesOn.test(before)) continue
    if (holdsCondition(before) && !/^(?:okay|alright|all right)\b/i.test(text.slice(to).trim())) continue
    if (text.slice(to, cut.to).trim().split(/\s+/).length < 2) continue
    cuts.push({ from, to })
    from = to + 1
  }
  return [...cuts, { from, to: cut.to }]
}

/** "if it's not better" belongs to what follows: an order must not lose its condition. */
function holdsCondition(before: string): boolean {
  const at = before.search(
    /\b(?:if|unless|in case|as long as|until|once|when(?!ever| you (?:were|first)))\b(?!.*\b(?:if|unless|in case|as long as|until|once|when)\b)/i,
  )
  return at >= 0 && before.slice(at).trim().split(/\s+/).length <= 14
}
