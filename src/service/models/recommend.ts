import type { ModelTask } from '#contract/model/speech-model.ts'
import type { Catalogue, CatalogueEntry } from './catalogue-entry.ts'

/** The engine shares the machine with the app and whatever else is open. */
const shareOfMemory = 0.25
const helpers: readonly ModelTask[] = ['vad', 'segmentation', 'embedding']

/** The set that suits this machine and this language: one recogniser, and what finds speech and parts the voices. */
export function recommended(catalogue: Catalogue, memoryMb: number, language: string): ReadonlySet<string> {
  const spoken = catalogue.filter((entry) => entry.task === 'recognition' && speaks(entry, language))
  const fitting = spoken.filter(({ memory_mb }) => memory_mb !== null && memory_mb <= memoryMb * shareOfMemory)
  const smallest = spoken.toSorted((one, other) => (one.memory_mb ?? Infinity) - (other.memory_mb ?? Infinity)).slice(0, 1)
  const recogniser = best(fitting.length > 0 ? fitting : smallest)
  const others = helpers.map((task) => best(catalogue.filter((entry) => entry.task === task)))
  return new Set([recogniser, ...others].flatMap((entry) => (entry === undefined ? [] : [entry.id])))
}

function speaks({ languages }: Pick<CatalogueEntry, 'languages'>, language: string): boolean {
  return languages.length === 0 || languages.includes(language.split('-')[0]?.toLowerCase() ?? '')
}

const best = (entries: Catalogue): CatalogueEntry | undefined => entries.toSorted((one, other) => other.rank - one.rank)[0]
