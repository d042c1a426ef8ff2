/** Past forms that are never present forms: safe after "she" or "he". */
const irregularPast = new Set(
  (
    'was were had did went said made took came saw knew got gave found thought told became left felt brought began kept held wrote stood heard meant met ran paid sat spoke led ' +
    'grew lost fell sent built understood drew broke spent rose drove bought wore chose ate slept woke swam drank sang rang threw caught taught fought sought hid forgot forgave froze ' +
    'shook stole swore tore wept bent dealt fed fled flew hung knelt laid lent lit rode shot slid sold sped stuck struck swept swung won wound shrank sank stank dreamt learnt burnt leapt'
  ).split(' '),
)

/** Past and present are spelled alike, so the tense after "she" or "he" is ambiguous. */
const tenseUnknown = new Set(
  'hurt quit put let read cut hit set cost lay shut bet burst cast spread split thrust upset wet shed rid'.split(' '),
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

/** Words that are often nouns: after "and" or "or" they may not belong to the client's verb. */
export function isBaseVerb(word: string): boolean {
  return baseVerbs.has(word)
}

export function isTenseUnknown(word: string): boolean {
  return tenseUnknown.has(word)
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
  if (base === 'do' || base === 'go') return `${base}es`
  if (/(?:s|x|z|ch|sh)$/.test(base)) return `${base}es`
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ies`
  return `${base}s`
}

const doubling = new Set('stop plan cut hit run sit get let shut swim drop hug jog put quit skip step win chat binge'.split(' '))

/** "take" becomes "taking"; only for verbs on the list above. */
export function gerund(base: string): string {
  if (base === 'lie' || base === 'die') return `${base.slice(0, -2)}ying`
  if (doubling.has(base) && !base.endsWith('e')) return `${base}${base.slice(-1)}ing`
  if (/[^eoy]e$/.test(base)) return `${base.slice(0, -1)}ing`
  return `${base}ing`
}

const pastForms = new Map(
  (
    'be:was become:became begin:began break:broke bring:brought build:built buy:bought catch:caught choose:chose come:came do:did draw:drew dream:dreamt drink:drank drive:drove eat:ate fall:fell feed:fed feel:felt ' +
    'fight:fought find:found forget:forgot forgive:forgave freeze:froze get:got give:gave go:went grow:grew hang:hung have:had hear:heard hide:hid hold:held keep:kept know:knew lead:led learn:learnt leave:left ' +
    'lie:lay lose:lost make:made mean:meant meet:met pay:paid ring:rang run:ran say:said see:saw sell:sold send:sent shake:shook sing:sang sit:sat sleep:slept speak:spoke spend:spent stand:stood steal:stole stick:stuck ' +
    'swear:swore swim:swam take:took teach:taught tell:told think:thought throw:threw understand:understood wake:woke wear:wore weep:wept win:won write:wrote cut:cut hurt:hurt put:put set:set let:let read:read hit:hit quit:quit'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
)

/** "drink" was "drank"; null for an unknown verb. */
export function pastOf(base: string): string | null {
  const known = pastForms.get(base)
  if (known !== undefined) return known
  if (!isBaseVerb(base)) return null
  if (base.endsWith('e')) return `${base}d`
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ied`
  return doubling.has(base) ? `${base}${base.slice(-1)}ed` : `${base}ed`
}

const participles = new Set(
  'been had gone done got gotten come become seen known given taken eaten drunk written spoken broken chosen driven fallen forgotten hidden stolen thrown woken worn grown shown held kept left lost made meant met paid said sat sent slept spent told thought felt found heard run put let quit cut hurt drunk'.split(
    ' ',
  ),
)

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
