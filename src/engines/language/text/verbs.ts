/** Principal parts of irregular verbs: base, past, participle. Variants are joined by "/". */
const irregular = (
  'be:was/were:been beat:beat:beaten become:became:become begin:began:begun bend:bent:bent bite:bit:bitten bleed:bled:bled blow:blew:blown break:broke:broken bring:brought:brought build:built:built burn:burned/burnt:burned/burnt ' +
  'buy:bought:bought catch:caught:caught choose:chose:chosen come:came:come creep:crept:crept deal:dealt:dealt dig:dug:dug do:did:done draw:drew:drawn dream:dreamed/dreamt:dreamed/dreamt drink:drank:drunk drive:drove:driven ' +
  'eat:ate:eaten fall:fell:fallen feed:fed:fed feel:felt:felt fight:fought:fought find:found:found flee:fled:fled fly:flew:flown forget:forgot:forgotten forgive:forgave:forgiven freeze:froze:frozen ' +
  'get:got:got/gotten give:gave:given go:went:gone grow:grew:grown hang:hung:hung have:had:had hear:heard:heard hide:hid:hidden hold:held:held keep:kept:kept kneel:knelt:knelt know:knew:known ' +
  'lay:laid:laid lead:led:led lean:leaned/leant:leaned/leant leap:leaped/leapt:leaped/leapt learn:learned/learnt:learned/learnt leave:left:left lend:lent:lent lie:lay:lain light:lit:lit lose:lost:lost make:made:made mean:meant:meant meet:met:met ' +
  'overthink:overthought:overthought pay:paid:paid redo:redid:redone reread:reread:reread rewrite:rewrote:rewritten ride:rode:ridden ring:rang:rung rise:rose:risen run:ran:run say:said:said see:saw:seen seek:sought:sought sell:sold:sold send:sent:sent shake:shook:shaken shoot:shot:shot show:showed:shown ' +
  'shrink:shrank:shrunk sing:sang:sung sink:sank:sunk sit:sat:sat sleep:slept:slept slide:slid:slid speak:spoke:spoken speed:sped:sped spend:spent:spent spin:spun:spun stand:stood:stood steal:stole:stolen sting:stung:stung ' +
  'stick:stuck:stuck stink:stank:stunk strike:struck:struck swear:swore:sworn sweep:swept:swept swim:swam:swum swing:swung:swung take:took:taken teach:taught:taught tear:tore:torn tell:told:told ' +
  'think:thought:thought throw:threw:thrown understand:understood:understood undo:undid:undone wake:woke:woken wear:wore:worn weep:wept:wept win:won:won wind:wound:wound withdraw:withdrew:withdrawn write:wrote:written ' +
  'bet:bet:bet burst:burst:burst cast:cast:cast cost:cost:cost cut:cut:cut hit:hit:hit hurt:hurt:hurt let:let:let put:put:put quit:quit:quit read:read:read rid:rid:rid set:set:set shed:shed:shed ' +
  'shut:shut:shut split:split:split spread:spread:spread thrust:thrust:thrust upset:upset:upset wet:wet:wet'
)
  .split(' ')
  .map((verb) => {
    const [base = '', pasts = '', perfects = ''] = verb.split(':')
    return { base, pasts: pasts.split('/'), participles: perfects.split('/') }
  })

/** Past and present are spelled alike, so the tense after "she" or "he" is ambiguous. */
const tenseUnknown = new Set([...irregular.flatMap(({ base, pasts }) => (pasts.includes(base) ? [base] : [])), 'lay'])

/** Past forms that are never present forms. "Bit" is mostly a noun. */
const irregularPast = new Set(irregular.flatMap(({ pasts }) => pasts.filter((past) => !tenseUnknown.has(past) && past !== 'bit')))

const participles = new Set(irregular.flatMap(({ participles }) => participles))

/** Base form of each irregular past and participle. */
export const baseOfForm: ReadonlyMap<string, string> = new Map(
  irregular.flatMap(({ base, pasts, participles }) =>
    [...pasts, ...participles].flatMap((form) => (form === base || form === 'lay' ? [] : [[form, base] as const])),
  ),
)

const baseVerbs = new Set(
  (
    'rewrite redo reread schedule nap doze snore vape jog bake knit volunteer commute accept ache act add admit agree answer apologise apologize argue arrive ask avoid bath beat become begin believe blame break breathe bring brush build burn buy call calm cancel care carry catch ' +
    'change chat check choose clean clear climb close collapse come compare complain cook cope count cover crave cry cycle dance deal decide deserve die disappear do doubt draw dread dream drift drink drive drop eat ' +
    'end enjoy enter escape exercise expect explain fail fall fear feed feel fight fill find finish fix follow forget forgive freeze get give go grieve grow hand handle hang happen hate have hear help hide hold ' +
    'hope ignore imagine join jump keep know laugh lead lean learn leave lie like listen live lock look lose love make manage mark meet mention mess mind miss move need notice open overthink own panic pay phone pick ' +
    'plan play practise practice pray prefer prepare pretend promise pull push question raise reach react realise realize recognise recognize refuse regret relax rely remember remind repeat replay reply rest ring ruminate run ' +
    'save say scream scroll see seem sell send shake share shop shout show sing sit skip sleep smile smoke snap speak spend stand stare start stay steal stop struggle study suffer support suppose swear swim switch take talk teach tell tend text ' +
    'think throw tidy touch train travel treat trust try turn understand use visit vomit wait wake walk want wash waste watch wear weigh wish wonder work worry write yawn yell sweat shiver ' +
    'guess knock hit pull carry check cover email dare deny depend describe fade fear flinch freeze fret hug hurry hurt juggle lash lose matter mutter nag offer order pace panic persuade plead point pop press punish rant recall recover reflect reject relive rehearse resent resist respond return rub rush sacrifice settle shrink shut sigh slam slow snack sort spiral stick stress sulk swallow sweep tackle tense thank tidy tiptoe track tremble twist undo vent wander warn watch whisper wipe withdraw zone binge purge vape gamble swallow text'
  ).split(' '),
)

export function isBaseVerb(word: string): boolean {
  return baseVerbs.has(word)
}

export function isTenseUnknown(word: string): boolean {
  return tenseUnknown.has(word)
}

export function isIrregularPast(word: string): boolean {
  return irregularPast.has(word)
}

export function isPast(word: string): boolean {
  return (
    irregularPast.has(word) ||
    (/[a-z]{2}ed$/.test(word) &&
      !/^(?:need|feed|hundred|bed|red|shed|kindred|naked|wicked|indeed|speed|seed|weed|breed|greed)$/.test(word))
  )
}

export function isModal(word: string): boolean {
  return /^(?:can|could|will|shall|should|may|might|must|cannot|can't|couldn't|won't|shouldn't|mustn't)$/.test(word)
}

/** Third person singular of the present: "try" becomes "tries". */
export function inflected(base: string): string {
  if (base === 'have') return 'has'
  if (base.endsWith('do') || base === 'go') return `${base}es`
  if (/(?:s|x|z|ch|sh)$/.test(base)) return `${base}es`
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ies`
  return `${base}s`
}

const doubling = new Set('quit admit begin forget prefer regret'.split(' '))

/** "stop" becomes "stopp" before "-ed" and "-ing", "panic" becomes "panick". */
function stemOf(base: string): string {
  const isShort = /^[^aeiou]*[aeiou][^aeiouwxy]$/.test(base)
  if (isShort || doubling.has(base)) return `${base}${base.slice(-1)}`
  return base.endsWith('ic') ? `${base}k` : base
}

/** "take" becomes "taking". */
export function gerund(base: string): string {
  if (base === 'lie' || base === 'die') return `${base.slice(0, -2)}ying`
  if (/[^eoy]e$/.test(base)) return `${base.slice(0, -1)}ing`
  return `${stemOf(base)}ing`
}

const pastByBase = new Map(irregular.map(({ base, pasts }) => [base, pasts[0] ?? base]))

/** "drink" becomes "drank"; null for an unknown verb. */
export function pastOf(base: string): string | null {
  const known = pastByBase.get(base)
  if (known !== undefined) return known
  if (!isBaseVerb(base)) return null
  if (base.endsWith('e')) return `${base}d`
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ied`
  return `${stemOf(base)}ed`
}

export function isParticiple(word: string): boolean {
  return participles.has(word) || /[a-z]{2}ed$/.test(word)
}

export function isPassingAdverb(word: string): boolean {
  return (
    /^(?:just|really|always|never|also|still|only|even|actually|often|sometimes|usually|now|then|kind|sort|of|both|already|almost|nearly|hardly|barely|probably|finally|honestly|definitely|completely|literally|mostly|normally|generally|suddenly|simply|constantly|totally|recently|not|to)$/.test(
      word,
    ) && word !== 'to'
  )
}
