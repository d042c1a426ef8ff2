import { etag, failedWith } from '#core/outbox/sending.ts'
import type { Bringing, Brought } from './target.ts'

interface Versioned {
  readonly version: number
}

/** What is sent whole as it stands. */
export interface Whole {
  readonly hash: string
  readonly local_version: number
  readonly put: (match: { ifMatch?: string }) => Promise<Versioned>
  readonly current: () => Promise<Versioned & { readonly hash: string }>
}

/** More than any answers that can be lost between two that are not. */
const mostRemembered = 8

/** What is there and was not sent from here is somebody else's: it is left, and told, unless it is to be replaced. */
export async function bringWhole({ target, record, remember }: Bringing, whole: Whole | null): Promise<Brought | null> {
  if (whole === null) return null
  const { hash, local_version } = whole
  const before = Array.isArray(record.sent) ? (record.sent as string[]) : []
  const sent = [...before.filter((one) => one !== hash), hash].slice(-mostRemembered)
  remember(sent)
  const stored = await putOrNull(whole, record.there_version === null ? {} : { ifMatch: etag(record.there_version) })
  if (stored !== null) return { local_version, version: stored.version, sent, differing: [] }
  const current = await whole.current()
  if (current.hash === hash) return { local_version, version: current.version, sent, differing: [] }
  if (!target.over && !before.includes(current.hash))
    return { local_version, version: current.version, sent: before, differing: ['content'] }
  const replaced = await whole.put({ ifMatch: etag(current.version) })
  return { local_version, version: replaced.version, sent, differing: [] }
}

/** Null where it is there otherwise than was thought, or is signed there. */
async function putOrNull(whole: Whole, match: { ifMatch?: string }): Promise<Versioned | null> {
  try {
    return await whole.put(match)
  } catch (error) {
    if (failedWith(error, 'stale-version', 'version-required', 'already-signed')) return null
    throw error
  }
}
