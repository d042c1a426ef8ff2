export function plain(text: string): string {
  return text.normalize('NFKC').replaceAll(/[’‘ʼ]/g, "'").replaceAll(/[“”„]/g, '"')
}

const bare: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'dont:do not,didnt:did not,doesnt:does not,cant:can not,cannot:can not,wont:will not,isnt:is not,arent:are not,wasnt:was not,werent:were not,havent:have not,hasnt:has not,hadnt:had not,couldnt:could not,wouldnt:would not,shouldnt:should not,aint:is not,' +
    "im:i am,ive:i have,thats:that is,its:it is,theyre:they are,theyve:they have,weve:we have,youre:you are,youve:you have,hes:he is,shes:she is,theres:there is,whats:what is,hows:how is,gonna:going to,wanna:want to,can't:can not,won't:will not,shan't:shall not,ain't:is not,let's:let us"
  )
    .split(',')
    .map((pair) => pair.split(':') as [string, string]),
)

const pattern = /[\p{L}\p{N}]+(?:['.:,-](?=[\p{L}\p{N}])[\p{L}\p{N}]+)*%?|[.,;:!?()–—…"]/gu

export function piecesOf(text: string): string[] {
  const pieces: string[] = []
  const found = plain(text).match(pattern) ?? []
  for (const [at, raw] of found.entries()) {
    const word = raw.toLowerCase()
    if (word === 'ill' && isFutureIll(found[at - 1], found[at + 1])) pieces.push('i', 'will')
    else if (/^\p{L}+'d$/u.test(word) && isHad(found[at + 1])) pieces.push(word.slice(0, -2), 'had')
    else pieces.push(...expanded(word))
  }
  return pieces
}

/** "He'd let them", "she'd gone": "had", not "would". */
function isHad(next: string | undefined): boolean {
  const word = next?.toLowerCase() ?? ''
  return (
    pastForms.has(word) ||
    /^(?:been|gone|done|let|put|cut|hurt|taken|given|seen|eaten|written|spoken|broken|fallen|forgotten|driven|better|never|already)$|[^e]ed$/.test(
      word,
    )
  )
}

function isFutureIll(before: string | undefined, after: string | undefined): boolean {
  if (after === undefined || /^[.,;!?]|^(?:and|or|but|since|with|at|in|from|for|health)$/i.test(after)) return false
  return (
    before === undefined ||
    !/^(?:am|is|are|was|were|be|been|feel|feels|felt|feeling|very|so|really|too|mentally|seriously|terminally|get|got|getting|fell|fall|the)$/i.test(
      before,
    )
  )
}

function expanded(word: string): string[] {
  const known = bare[word]
  if (known !== undefined) return known.split(' ')
  if (word.endsWith("n't")) return [word.slice(0, -3), 'not']
  const tail = /^(.+)'(m|re|ve|ll|d)$/.exec(word)
  if (tail) return [tail[1] ?? '', { m: 'am', re: 'are', ve: 'have', ll: 'will', d: 'would' }[tail[2] as 'm'] ?? '']
  const is = /^(he|she|it|that|there|what|who|where|how|here|i)'s$/.exec(word)
  if (is) return [is[1] ?? '', 'is']
  const owner = word.replace(/'s?$/, '')
  return /^\p{L}+(?:-\p{L}+)+$/u.test(owner) ? owner.split('-') : [owner]
}

const stems = new Map<string, string>()

/** A light stemmer that also handles irregular verbs: "slept" matches "sleeping", "parties" matches "party". */
export function stemOf(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  if (stems.size > 20_000) stems.clear()
  const stem = stemmed(baseForms.get(word) ?? word)
  stems.set(word, stem)
  return stem
}

function stemmed(word: string): string {
  let stem = word
  if (/\d/.test(stem) || stem.length < 4) return stem
  stem = stem.replace(/(?<=..)ies$/, 'y').replace(/(?<=..)ied$/, 'y')
  stem = stem.replace(/(?<=...)(?:ings?|edly|ed|es|ly)$/, '').replace(/([^s])s$/, '$1')
  stem = stem.replace(/(?<=....)(?:ations?|ation|ments?|ness)$/, '').replace(/([bdgklmnprt])\1$/, '$1')
  stem = stem.replace(/(?<=..)e$/, '')
  return stem.replace(/(?<=..)i$/, 'y')
}

const functionWords = new Set(
  (
    'a an the and or but so if then than that this these those it its he she they him his her hers them their theirs i me my mine you your yours we us our myself yourself himself herself themselves themself ' +
    'is am are was were be been being do does did done have has had having will would can could shall should may might must ought of to in on at by for from with into about over up down out off as until till while because since though although ' +
    'not no nor none never yes yeah yep yup nope okay ok right well oh um uh er erm hmm mm just really very quite kind sort like know mean get got go goes going went what which who whom whose how when where why there here all any some too also only even again ' +
    'still now much many more most such own same other another one ones thing things bit lot every each both few less least own per via within without between against towards toward upon onto during before after above below under through across along around near ' +
    'say says said saying tell told think thinks thought feel feels felt want wants wanted try tries tried keep keeps kept let lets make makes made take takes took give gives gave come comes came put puts use uses used seem seems become became happen happened happens need needs look looks ' +
    'something anything nothing everything someone anyone somebody anybody nobody everybody everyone else rather perhaps maybe yet already always ever sometimes often usually almost nearly quite enough able unable back away together alone otherwise however therefore ' +
    'please thank thanks sorry hello hi bye god actually basically honestly literally anyway though thats us mg am pm'
  ).split(' '),
)

export function isContent(word: string): boolean {
  return !functionWords.has(word) && /^\p{L}{2,}/u.test(word)
}

export function isMark(piece: string): boolean {
  return /^[.,;:!?()–—…"]$/.test(piece)
}

export function runOf(text: string): string[] {
  return (
    plain(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)*/gu) ?? []
  )
}

const table =
  'was:be were:be been:be is:be are:be am:be had:have has:have having:have did:do does:do done:do doing:do went:go gone:go goes:go going:go said:say says:say told:tell came:come coming:come saw:see seen:see ' +
  'took:take taken:take taking:take gave:give given:give giving:give got:get gotten:get getting:get made:make making:make knew:know known:know thought:think felt:feel kept:keep left:leave leaving:leave ' +
  'slept:sleep ate:eat eaten:eat drank:drink drunk:drink drove:drive driven:drive driving:drive woke:wake woken:wake waking:wake lay:lie lain:lie lying:lie lies:lie lost:lose losing:lose found:find fell:fall fallen:fall ' +
  'rang:ring rung:ring wrote:write written:write writing:write spoke:speak spoken:speak broke:break broken:break began:begin begun:begin ran:run running:run sat:sit sitting:sit stood:stand ' +
  'swam:swim swum:swim swimming:swim threw:throw thrown:throw bought:buy brought:bring caught:catch taught:teach fought:fight sought:seek built:build sent:send spent:spend lent:lend meant:mean met:meet meeting:meet ' +
  'paid:pay sold:sell heard:hear held:hold hid:hide hidden:hide hiding:hide chose:choose chosen:choose froze:freeze frozen:freeze forgot:forget forgotten:forget grew:grow grown:grow flew:fly flown:fly ' +
  'drew:draw drawn:draw blew:blow shook:shake shaken:shake rose:rise risen:rise rising:rise wore:wear worn:wear tore:tear torn:tear swore:swear sworn:swear bit:bite bitten:bite sang:sing sung:sing sank:sink ' +
  'stole:steal stolen:steal struck:strike hung:hang dug:dig stuck:stick won:win led:lead fed:feed bled:bleed fled:flee dealt:deal dreamt:dream burnt:burn learnt:learn built:build became:become died:die dying:die ' +
  'tried:try tries:try cried:cry cries:cry worried:worry worries:worry married:marry carried:carry carries:carry denied:deny denies:deny studied:study buried:bury stayed:stay stopped:stop stopping:stop dropped:drop ' +
  'planned:plan planning:plan quitting:quit cutting:cut hitting:hit letting:let putting:put shutting:shut setting:set using:use used:use uses:use hoping:hope hoped:hope living:live lived:live lives:live ' +
  'moving:move moved:move believed:believe believing:believe arguing:argue argued:argue children:child kids:kid women:woman men:man feet:foot wives:wife knives:knife mice:mouse laughter:laugh ' +
  'better:better worse:worse worst:worst death:die dead:die deaths:die thoughts:thought loss:lose losses:lose weight:weight appetite:appetite choice:choose gift:give belief:believe beliefs:believe sleepless:sleep'
const baseForms: ReadonlyMap<string, string> = new Map(table.split(' ').map((pair) => pair.split(':') as [string, string]))

/** Past forms and participles only, to distinguish past from present. */
export const pastForms: ReadonlySet<string> = new Set(
  (
    'was were had did went said told came saw took gave got made knew thought felt kept left slept ate drank drove woke lay lost found fell rang wrote spoke broke began ran sat stood swam threw bought brought caught taught fought sent spent ' +
    'meant met paid sold heard held hid chose froze forgot grew flew drew blew shook rose wore tore swore bit sang sank stole struck hung stuck won led fed bled became died built dealt dug fled lent bent crept dreamt learnt burnt sought wept dug slid spun sued swept cried tried'
  ).split(' '),
)
