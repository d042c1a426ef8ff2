import drugs from './drugs.json' with { type: 'json' }

export interface Kind {
  readonly topic: string
  readonly pattern: RegExp
}

const kindsOf = (patterns: Readonly<Record<string, RegExp>>): readonly Kind[] =>
  Object.entries(patterns).map(([topic, pattern]) => ({ topic, pattern }))

const topicIn = (kinds: readonly Kind[], text: string): string | null =>
  kinds.find(({ pattern }) => pattern.test(text))?.topic ?? null

/** These patterns are broad, because a false match is better than a missed risk. */
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

export const riskTopics = [...riskKinds.map(({ topic }) => topic), 'plan or intent', 'withdrawal and driving']

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

const names = [...drugs.generic, ...drugs.brands].join(' ').split(' ')
const endings = 'sartan|statin|prazole|dipine|azepam|oxetine|triptyline|gliptin|cillin|mycin|triptan|thiazide|floxacin|lukast'
const named = new Set(names)
const ending = new RegExp(`^\\w{3,}(?:${endings})$`, 'i')

/** To test only whether a text names a drug, use `drugIn`, which is much faster. */
export const drugName = new RegExp(`\\b(?:${names.join('|')}|\\w{3,}(?:${endings}))\\b`, 'i')

export const medicationWords =
  /\b(?:medications?|medicines?|meds\b|dose[sd]?\b|dosage|milligram\w*|\d+ ?mg\b|mg\b|tablets?\b(?! computer)|pills?\b|prescri\w*|refills?|side[- ]effects?|antidepress\w*|ssris?\b|mood stabili\w*|benzodiazepine\w*|benzos?|stimulants?|antipsychotic\w*|sleeping (?:pill|tablet)s?|inhaler|ran out of|allerg\w*|beta[- ]?blockers?|on (?:the|a) (?:higher|lower) dose|came off (?:it|them)|stopped taking|started taking|taper\w*)\b/i

export const medicationChange =
  /\b(?:increas\w*|decreas\w*|put (?:it|me|them|you) (?:up|down|on)|went (?:up|down)|raised|lowered|stopp?\w*|start\w*|taper\w*|switch\w*|doubl\w*|halv\w*|missed|skip\w*|came off|ran out|restart\w*)\b/i

export const mentionsMedication = (text: string): boolean => drugIn(text) !== null || medicationWords.test(text)

export const drugIn = (text: string): string | null => (text.match(/\w{4,}/g) ?? []).find(isDrug) ?? null

const isDrug = (word: string): boolean => named.has(word.toLowerCase()) || ending.test(word)

export const substanceKinds = kindsOf({
  alcohol:
    /\b(?:alcohol\w*|beers?\b|wine|whisk(?:e)?y|vodka|gin\b(?! and bear)|rum\b|liquor|lager|cider|pints?\b|cans\b|drunk\b|sober|hung ?over|hangover|binge drink\w*|drink(?:ing|s)?\b(?! (?:water|coffee|tea|milk|enough|more water|juice|plenty))|drank\b(?! (?:water|coffee|tea))|a drink\b|dry (?:day|days|evening|night|week|month|january|from|ones)|bottles? of (?:wine|red|white)|units\b)/i,
  cannabis:
    /\b(?:weed|cannabis|marijuana|joints?\b(?! (?:pain|account|custody|decision|session))|edibles|thc|smok(?:es|ed|ing|e) (?:the |some |a bit of )*(?:weed|pot|hash)|stoned)\b/i,
  tobacco: /\b(?:cigarettes?|nicotine|vap(?:e|es|ed|ing)|tobacco|smok(?:e|es|ing|ed)\b|a pack a day|fags)\b/i,
  'other drugs':
    /\b(?:cocaine|coke\b(?! (?:zero|and|can))|heroin|opioids?|opiates?|meth\b|amphetamines?|ecstasy|mdma|lsd|mushrooms\b|ketamine|recreational|street drugs?|drugs\b|using again|got high|getting high|cravings?|relaps\w*)\b/i,
  gambling: /\b(?:gambl\w*|betting|bets\b|casino|slot machines?|scratch ?cards?)\b/i,
})

export const substanceTopic = (text: string): string | null => topicIn(substanceKinds, text)

export const withdrawalWords =
  /\b(?:withdrawal|shak(?:es|ing|y)|sweat(?:s|ing)|tremors?|seizures?|fits\b|blackouts?|blacked out|driv(?:e|es|ing) (?:after|drunk|home after)|drove (?:drunk|home drunk|after))\b/i

export const symptomKinds = kindsOf({
  sleep:
    /\b(?:sleep\w*|slept|insomnia|nightmares?|awake|waking|wake up|woke|bad dreams?|asleep|nap(?:s|ping)?\b|a night's rest)\b/i,
  appetite:
    /\b(?:appetite|eating (?:less|more|normally|properly|much|well)|not eating|can't eat|off (?:my|your) food|weight|skipp\w* meals|binge\w*|purg\w*|hungry)\b/i,
  energy: /\b(?:energy|tired\w*|exhaust\w*|fatigue\w*|worn out|drained|knackered|no get up)\b/i,
  concentration:
    /\b(?:concentrat\w*|focus(?:ed|ing)?\b|memory|forgetful|foggy|brain fog|mind (?:goes|went) blank|(?:go|going|went) blank)\b/i,
  mood: /\b(?:mood\w*|depress\w*|feel(?:ing)? (?:\w+ )?(?:low|down|flat|empty|numb|sad|awful|terrible|dreadful|better|worse)|felt (?:\w+ )?(?:low|down|flat|empty|numb|sad|awful|dreadful|better|worse)|flat\b(?! (?:in|on|at|above|below|mate|share|white))|hopeless\w*|worthless|useless|pointless|fed up|don't know what to do with (?:myself|yourself)|guilt\w*|asham\w*|shame\b|cry(?:ing)?\b|cried|tear(?:s|ful)\b|lonel\w*|isolat\w*|bored\b|sad(?:ness)?\b|miserabl\w*|embarrass\w*|useless|grie(?:f|ve|ving)|miss (?:him|her|them)|unhappy|down days?)\b/i,
  anxiety:
    /\b(?:anxi\w*|worr(?:y|ied|ies|ying)\b|panic\w*|heart (?:racing|pounding|races|pounds|was going|goes|raced|thumping)|racing (?:heart|thoughts)|on edge|restless|tense|tension|avoid\w*|nervous\w*|afraid|scared|frighten\w*|fear\w*|dread\w*|terrified|overwhelm\w*|stress\w*|shaky|trembl\w*|can't breathe|couldn't breathe|chest (?:tight|pain|was tight)|tight chest|phobi\w*|blush\w*|freeze|froze)\b/i,
  anger:
    /\b(?:irritab\w*|ang(?:er|ry)\b|rage\b|furious|snapp(?:ed|y|ing)|lost (?:my|it|his|her) temper|temper\b|shout(?:ed|ing)?|yell(?:ed|ing)|threw|frustrat\w*|resent\w*)\b/i,
  trauma:
    /\b(?:flashbacks?|trigger(?:ed|s|ing)?|dissociat\w*|trauma\w*|intrusive|jumpy|startl\w*|hypervigilan\w*|reliv(?:e|ing)|back in that)\b/i,
  compulsions:
    /\b(?:obsess\w*|compuls\w*|checking\b|check (?:the|that|if|my)\b|ritual\w*|contaminat\w*|washing my hands|count(?:ing)? (?:to|the|things))\b/i,
  body: /\b(?:pain\w*|headaches?|migraine\w*|stomach|nausea\w*|sick(?:ness)?\b(?! (?:leave|note|pay|day|of))|dizz\w*|ache\w*|numbness|yawn\w*|dry mouth|sore)\b/i,
  thoughts:
    /\b(?:belie(?:f|ve|ved)\b|convinced|thoughts?\b(?! (?:so|it|i|he|she|we|they|you|that|about it))|ruminat\w*|overthink\w*|burn(?:t|ed)? out|failure|stupid|not good enough|my fault|blame\w*)\b/i,
})

export const symptomTopic = (text: string): string | null => topicIn(symptomKinds, text)
