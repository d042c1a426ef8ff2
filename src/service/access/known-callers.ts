import type { Clock } from '#base/clock.ts'
import type { KeyRow } from '#service/store/api-keys.ts'
import type { FactsRead } from './facts.ts'

/** More keys than this are hardly used at once; one that is forgotten is read again. */
const mostKnown = 10_000
const knownMs = 60_000

interface Known {
  readonly key: KeyRow
  /** Of the key's person, as of the key's `authority_version`; null where they were not needed yet. */
  facts: FactsRead | null
  readonly at: number
  /** Of the secret it was let in with. */
  readonly digest: string
}

/**
 * Keys and their persons between calls. What is remembered is never the last word: each call compares the practice's
 * number in its own transaction, and whoever is refused by memory is asked about anew. See `asOfNow`.
 */
export interface KnownCallers {
  find(keyId: string): Known | null
  /** However long ago it was let in. */
  lastDigest(keyId: string): string | undefined
  keep(key: KeyRow, digest: string): void
}

export function rememberCallers(clock: Clock): KnownCallers {
  const known = new Map<string, Known>()
  return {
    find: (keyId) => {
      const found = known.get(keyId)
      return found !== undefined && clock.elapsed() - found.at < knownMs ? found : null
    },
    lastDigest: (keyId) => known.get(keyId)?.digest,
    keep: (key, digest) => {
      if (known.size >= mostKnown) known.clear()
      known.set(key.id, { key, facts: null, at: clock.elapsed(), digest })
    },
  }
}
