import type { ServiceClient } from '#client/client.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { failedWith } from '#core/outbox/sending.ts'
import type { Told } from '#core/sync/pull/change-feed.ts'
import type { Known } from '#core/sync/pull/pull-state.ts'
import { recordKinds, type PulledKind, type RecordName } from '#core/sync/record-kinds.ts'
import { readOne, readPage } from '#core/sync/pull/read-records.ts'

type Answer = RecordName & { readonly version: number }

interface Asking {
  readonly client: ServiceClient
  readonly signal: AbortSignal
}

/** At most this many unconfirmed records are read one by one. */
const MAX_ASKED = 50

/**
 * Records that the embedded service acknowledged, but that the app has not yet read in its change feed. If the service lacks
 * one or has an older version of one, it lost data.
 */
export function createAnswered(db: Sqlite, known: Known) {
  const all = db.prepare('select kind, id, version from answered')
  const told = db.prepare('delete from answered where kind = ? and id = ? and version <= ?')
  const clientOf = db.prepare('select client_id from consents where id = ?').pluck()
  const isThere = async ({ kind, id, version }: Answer, asking: Asking): Promise<boolean> => {
    const there =
      kind === 'consent' ? await consentThere(asking, id, clientOf.get(id) as string) : await recordThere(asking, kind, id)
    return there !== null && there >= version
  }
  return {
    told: ({ kind, id, version }: Told): void => void told.run(kind, id, version),
    async isLost(asking: Asking): Promise<boolean> {
      const left = (all.all() as Answer[]).filter((answer) => known.version(answer) === answer.version)
      if (left.length > MAX_ASKED) return true
      for (const answer of left) if (!(await isThere(answer, asking))) return true
      return false
    },
    clear: (): void => void db.exec('delete from answered'),
  }
}

async function recordThere({ client, signal }: Asking, kind: PulledKind, id: string): Promise<number | null> {
  try {
    return versionOf(await readOne(client, recordKinds[kind].get!, id, signal))
  } catch (error) {
    if (failedWith(error, 'gone')) return Number.MAX_SAFE_INTEGER
    if (failedWith(error, 'not-found')) return null
    throw error
  }
}

async function consentThere({ client, signal }: Asking, id: string, client_id: string): Promise<number | null> {
  for (let cursor: string | undefined; ;) {
    const page = await readPage(client, 'consent', { client_id, ...(cursor === undefined ? {} : { cursor }) }, signal)
    for (const arrival of page.arrivals) {
      if ('raw' in arrival && (arrival.raw as { id?: unknown }).id === id) return versionOf(arrival.raw)
    }
    if (page.next === null) return null
    cursor = page.next
  }
}

const versionOf = (raw: unknown): number => (raw as { version?: number } | null)?.version ?? 0
