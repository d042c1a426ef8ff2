import { kindsOf } from './kinds.ts'

/** A false cue, quoted and dismissible, is better than a missed one. */
export const riskKinds = kindsOf({
  'suicidal thoughts': new RegExp(
    '\\b(?:' +
      [
        'suicid\\w*',
        'kill(?:ing|ed)? (?:myself|yourself|himself|herself|themselves)',
        'end(?:ing|ed)? (?:my|your|his|her|their|it)(?: own)? (?:life|all)',
        'end(?:ing)? it all',
        'take (?:my|your) own life',
        'taking (?:my|your) own life',
        'better off (?:dead|without me)',
        '(?:easier|better|rather|want|wanted|wanting|wish|wished) (?:(?:i|to|that|if|was|were|be|being|you) )*dead\\b',
        "(?:don't|do not|didn't|did not|not|never|no longer) want(?:ed|ing)? to (?:be (?:here|alive|around)(?! (?:today|at this|in this|with you))|wake up|live\\b(?! (?:with|in|there|at|like|near|together)))",
        '(?:rather|wish i (?:could|was|were)?|wish i) not (?:be|wake|exist)\\b(?: here| alive| around| up)?',
        'not (?:be|being) (?:alive|here (?:any|for a)\\w*)',
        "wish i (?:was|were) ?n[o']t (?:here|alive|born)",
        "wish i'd never been born",
        'no way out',
        "(?:no|see (?:the|any)|what's the) point (?:in|of) (?:going on|living|being here|anything|carrying on)",
        'reason(?:s)? to (?:live|go on)',
        '(?:not|stop) wanting to (?:be (?:here|around|alive)|live|wake up|exist)',
        'disappear (?:for good|forever)|go to sleep and not wake',
        'thoughts? of (?:death|dying)',
        'want(?:ed|ing)? to die|wish(?:ed)? i would die|wanting to be dead|jump(?:ing)? off|jump(?:ing)? in front',
        'overdos\\w*|took (?:some |all |a lot of |too many |my |the )*(?:pills|tablets|paracetamol|tylenol)',
        'a burden (?:to|on)|just a burden',
        '(?:like|want|wanted|wish(?:ed)?|long(?:ing)?|join) (?:i (?:was|were|could be) |to (?:be|go) )(?:with (?:her|him) again|reunited)|(?:join|joining) (?:him|her|them) (?:in|up|there|soon)',
      ].join('|') +
      ')',
    'i',
  ),
  'self-harm':
    /\b(?:self[- ]?harm\w*|cut(?:ting)? (?:myself|yourself|herself|himself|my (?:arm|wrist|leg|thigh)s?|your (?:arm|wrist|leg)s?)|hurt(?:ing)? (?:myself|yourself|herself|himself)|harm(?:ing)? (?:myself|yourself)|burn(?:ing|ed)? myself|(?:do|doing|done) (?:something|anything) to (?:myself|yourself)|hit(?:ting)? myself|scratch(?:ing|ed)? myself)\b/i,
  'harm to others':
    /\b(?:hurt(?:ing)? (?:someone|somebody|anyone|anybody|him|her|them|other people|others)\b(?! feelings)|harm(?:ing|ed)? (?:him|her|them|someone|somebody|anyone|anybody|others|other people|(?:the|my|your) (?:baby|child|children|kids|son|daughter))|kill(?:ing)? (?:him|her|them|someone|somebody|anyone|anybody)|homicid\w*|lash(?:ed|ing)? out at (?:him|her|them|the kids))\b/i,
  'violence and safety':
    /\b(?:(?:he|she|they|dad|mum|mom|father|mother|husband|wife|partner|boyfriend|girlfriend)(?:'s| has| had)? (?:hit|hits|beat|beats|slapped|slaps|punched|kicked|choked|shoved|strangled|threatened|grabbed|pushed) (?:me|her|him|us|them)\b|pushing(?:,| or| and) hitting|hit(?:ting)? (?:me|you|each other|one another)|gets? physical|got physical|anybody getting hurt|anyone getting hurt|been hit\b|(?:anybody|anyone|either of you) (?:ever )?(?:been |get |got )?(?:hurt|hit|touch(?:ed)?|threaten(?:ed)?)\b(?! (?:my|your|his|her) feelings)|afraid of (?:the other|each other|one another)|physical(?:ly)? (?:fight|violence|abuse|violent)|violen(?:t|ce)|abus(?:e|ed|ive|ing|er)\b|assault\w*|raped?\b|molest\w*|afraid of (?:him|her|them)\b|scared of (?:him|her|them)\b|frightened of (?:him|her|them)\b|chok(?:ed|es|ing) (?:me|her|him|you)|unsafe|(?:feel|feeling|be|are you|is it) safe\b(?! to say)|weapon|a gun\b|guns\b|firearm|restraining order)/i,
  psychosis:
    /\b(?:hear(?:ing|s|d)? voices|voices (?:tell|told|telling|in my head)|see(?:ing)? things(?! (?:differently|clearly|from|his|her|their|through|my|your|that way))|things that (?:aren't|are not|weren't) there|(?:people|they(?:'re| are)|someone(?:'s| is)) (?:are )?(?:following|watching|after) me|paranoi\w*|hallucinat\w*|delusion\w*)\b/i,
  'safety of children':
    /\b(?:left (?:the )?(?:kids?|children|baby|child|him|her|them) alone|can't feed (?:the|my) (?:kids?|children|baby)|child protect\w*|social services|cps\b|neglect(?:ed|ing)\b)/i,
})

export const notTheSpeaker =
  /\b(?:my|his|her|their) (?:brother|sister|mother|mum|mom|father|dad|friend|uncle|aunt|cousin|husband|wife|partner|son|daughter|grand\w+|boss|colleague|neighbou?r|ex)\b|\b(?:he|she|they)(?:'s|'re)? (?:on|tried|was|were|had|used|does|did|took|hanged|killed)\b/i

const nearMiss =
  /\bharmon\w*|\bskill\w*|hurt (?:my|your|his|her) (?:shoulder|back|knee|ankle|foot|hand|feelings|pride|neck|leg|arm)|what (?:that|it) means|don't want to be here (?:today|this|right now|in this|at work)|dead (?:line|end|beat|tired|battery|sure|easy|set)|killing (?:time|it)|dying (?:to|for)|to die for|shoot(?:ing)? hoops|cut (?:down|back|off|out|the|it)|(?:kill|murder|die for) a (?:coffee|pint|sandwich|burger|tea)|(?:feet|foot|back|head|tooth|teeth|stomach|hips?|arms?|neck|shoulders?|knees?|legs?)(?:'s| is| are| was| were| has been| have been) killing (?:me|her|him|them|you)|scared me to death|bored to death|drop(?:ped)? dead gorgeous/i

export function riskTopic(text: string): string | null {
  const normal = text.replaceAll('’', "'")
  const kind = riskKinds.find(({ pattern }) => pattern.test(normal))
  if (!kind) return null
  return nearMiss.test(normal) && !riskKinds.some(({ pattern }) => pattern.test(normal.replace(new RegExp(nearMiss, 'gi'), ' ')))
    ? null
    : kind.topic
}
