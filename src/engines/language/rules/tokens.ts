import { stemOf } from '../text/words.ts'

const stopWords = new Set(
  (
    'a an the and or but so if then than that this these those it its he she they them his her hers their i me my mine you your yours we us our ' +
    'is am are was were be been being do does did done have has had having will would can could shall should may might must of to in on at by for from with ' +
    'as into about over up down out off not no yes yeah okay ok right well oh um uh er hmm just really very quite kind sort like know mean get got go goes going ' +
    'went what which who whom how when where why there here all any some too also only even again still now much many more most such own same very ' +
    "i'm i've i'll i'd you're you've you'll you'd he's she's it's that's there's what's don't didn't doesn't isn't wasn't can't couldn't won't wouldn't haven't hasn't hadn't " +
    'because until till while thing things said say says saying tell told think thinks thinking thought feel feels felt every one bit lot'
  ).split(' '),
)

export function normalise(text: string): string {
  return text.toLowerCase().replaceAll('’', "'").replaceAll('‘', "'")
}

export function wordsOf(text: string): string[] {
  return normalise(text).match(/[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu) ?? []
}

export function isContentWord(word: string): boolean {
  return !stopWords.has(word) && (word.length > 2 || /^\d+$/.test(word))
}

export function contentStems(words: readonly string[]): Set<string> {
  const stems = new Set<string>()
  for (const word of words) {
    for (const part of word.split('-')) if (isContentWord(part)) stems.add(stemOf(part))
  }
  return stems
}

/** Share of `inner` that is also in `outer`; 0 for an empty `inner`. */
export function shareOf(inner: ReadonlySet<string>, outer: ReadonlySet<string>): number {
  if (inner.size === 0) return 0
  let shared = 0
  for (const stem of inner) if (outer.has(stem)) shared += 1
  return shared / inner.size
}
