import type { MovedKind } from '#contract/bridge/moving.ts'
import { type Clock, timestamp } from '#base/clock.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { ServiceClient } from '#client/client.ts'
import { AppError } from '#contract/errors.ts'
import { failedWith } from '#core/outbox/sending.ts'
import { uploadAuthorizations } from './authorisations.ts'
import type { Moving, MovingRecord, MovingRepository } from './moving-repository.ts'
import type { OwnRepositories, Target, Uploading, Uploaded, Compared, Unpushed } from './content.ts'
import {
  uploadNote,
  uploadTemplate,
  uploadTranscript,
  compareNote,
  compareTemplate,
  compareTranscript,
} from './upload-documents.ts'
import {
  uploadClient,
  uploadConsent,
  uploadSession,
  compareClient,
  compareConsent,
  compareSession,
  uploadHours,
} from './upload-records.ts'

/** `until`: when the exhausted daily quota resets (ms since 1970), or null. */
export interface Passed {
  readonly more: boolean
  readonly until: number | null
}

export interface PassParts {
  readonly db: Sqlite
  readonly own: OwnRepositories
  readonly moving: MovingRepository
  readonly clock: Clock
  readonly from: () => ServiceClient
  readonly isFromInside: () => boolean
  readonly to: (moving: Moving) => ServiceClient
  /** When the quota resets, if our share is used up; null: calls remain. */
  readonly quotaUntil: () => number | null
  readonly onProgress: () => void
}

const stopping = (error: unknown): boolean => !(error instanceof AppError) || error.code === 'unauthenticated' || error.retryable

export function createPass(parts: PassParts): (signal: AbortSignal) => Promise<Passed> {
  const { moving, to, clock, onProgress } = parts
  return async (signal) => {
    const state = moving.get()!
    const { person_id, therapist_id, is_owner, again } = state
    const who = { person_id: person_id ?? therapist_id, therapist_id, is_owner }
    const target: Target = { client: to(state), who, signal, over: again === 'all' || state.address === null }
    await takeHours(parts, target)
    const until = await sendAll(parts, target, moving.toSend(again))
    await takeAuthorisations(parts, target)
    if (again !== 'new' && until === null) moving.put({ again: 'new', changed_at: timestamp(clock) })
    for (const record of moving.toCheck()) {
      signal.throwIfAborted()
      await checkOne(parts, target, record)
      onProgress()
    }
    const isMore = moving.toSend('new').some((record) => isReady(parts, record)) || moving.toCheck().length > 0
    return { more: isMore && until === null, until }
  }
}

/** A failed read marks only this record. */
async function checkOne({ own, moving }: PassParts, target: Target, record: MovingRecord): Promise<void> {
  try {
    const found = await compare[ownKind(record.kind)]({ own, target, record, remember: () => {} })
    if (found === null) moving.refuse(record, 'not-found')
    else moving.keepChecked(record, found)
  } catch (error) {
    if (stopping(error)) throw error
    moving.refuse(record, (error as AppError).code)
  }
}

async function sendAll(parts: PassParts, target: Target, records: readonly MovingRecord[]): Promise<number | null> {
  let until = parts.quotaUntil()
  for (const record of records) {
    target.signal.throwIfAborted()
    if (!isReady(parts, record)) continue
    // Only new sessions count against the quota.
    if (record.kind === 'session' && record.there_version === null && until !== null) continue
    try {
      await sendOne(parts, target, record)
      until = parts.quotaUntil()
    } catch (error) {
      if (failedWith(error, 'quota-exceeded')) until = parts.clock.now() + ((error as AppError).retrySeconds ?? 3600) * 1000
      else if (stopping(error)) throw error
      else parts.moving.refuse(record, (error as AppError).code)
    }
    parts.onProgress()
  }
  return until !== null && parts.moving.toSend('new').some((record) => isReady(parts, record)) ? until : null
}

async function sendOne({ db, own, moving }: PassParts, target: Target, record: MovingRecord): Promise<void> {
  const remember = (sent: unknown): void => moving.keepSending(record, sent)
  const brought = await bring[ownKind(record.kind)]({ own, target, record, remember })
  if (brought === null) return
  if ('problem' in brought) return moving.refuse(record, brought.problem)
  const { local_version, ...there } = brought
  db.transaction(() => moving.keepSent({ ...record, version: local_version }, there)).immediate()
}

/** A record waits for its parent; if the parent was refused, the record is too. */
function isReady({ moving }: PassParts, record: MovingRecord): boolean {
  const parent = parentOf[ownKind(record.kind)]
  if (parent === null || record.parent_id === null || moving.isThere(parent, record.parent_id)) return true
  if (moving.isRefused(parent, record.parent_id)) moving.refuse(record, 'parent-missing')
  return false
}

/** Records that only services store have no local version. */
const standing = { version: 1, client_id: null, parent_id: null, there_version: null, sent: undefined }

async function takeAuthorisations({ from, isFromInside, moving }: PassParts, target: Target): Promise<void> {
  const refused = new Map<string, string>()
  const isThere = (client_id: string): boolean => moving.isThere('client', client_id)
  const refuse = (client_id: string, code: string): void => void refused.set(client_id, code)
  await uploadAuthorizations({ from: from(), isInside: isFromInside(), isThere, refuse }, target, stopping)
  moving.forget('authorisation')
  for (const [id, code] of refused) moving.refuse({ ...standing, kind: 'authorisation', id }, code)
}

async function takeHours({ from, isFromInside, moving }: PassParts, target: Target): Promise<void> {
  const record = { ...standing, kind: 'hours' as const, id: target.who.person_id }
  try {
    await uploadHours({ client: from(), isInside: isFromInside() }, target)
    moving.forget('hours')
  } catch (error) {
    if (stopping(error)) throw error
    moving.refuse(record, (error as AppError).code)
  }
}

const ownKind = (kind: MovedKind) => kind as Exclude<MovedKind, 'hours' | 'authorisation'>

type Own = Exclude<MovedKind, 'hours' | 'authorisation'>

const bring: Readonly<Record<Own, (bringing: Uploading) => Promise<Uploaded | Unpushed | null>>> = {
  template: uploadTemplate,
  client: uploadClient,
  consent: uploadConsent,
  session: uploadSession,
  transcript: uploadTranscript,
  note: uploadNote,
}

const compare: Readonly<Record<Own, (bringing: Uploading) => Promise<Compared>>> = {
  template: compareTemplate,
  client: compareClient,
  consent: compareConsent,
  session: compareSession,
  transcript: compareTranscript,
  note: compareNote,
}

const parentOf = {
  template: null,
  client: null,
  consent: 'client',
  session: 'client',
  transcript: 'session',
  note: 'session',
} as const satisfies Record<Own, Own | null>
