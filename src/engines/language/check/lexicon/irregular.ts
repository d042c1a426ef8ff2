/** Verbs whose past the stemmer cannot undo: past or participle to the base form. */
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
export const baseForms: ReadonlyMap<string, string> = new Map(table.split(' ').map((pair) => pair.split(':') as [string, string]))

/** Past and participle alone, to tell a past from a present. */
export const pastForms: ReadonlySet<string> = new Set(
  (
    'was were had did went said told came saw took gave got made knew thought felt kept left slept ate drank drove woke lay lost found fell rang wrote spoke broke began ran sat stood swam threw bought brought caught taught fought sent spent ' +
    'meant met paid sold heard held hid chose froze forgot grew flew drew blew shook rose wore tore swore bit sang sank stole struck hung stuck won led fed bled became died built dealt dug fled lent bent crept dreamt learnt burnt sought wept dug slid spun sued swept cried tried'
  ).split(' '),
)
