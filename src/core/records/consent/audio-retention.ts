import type { AudioPlan } from '#contract/bridge/recordings.ts'
import type { Client } from '#contract/model/client.ts'
import type { Session } from '#contract/model/session.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { isFormOf, keepingConsent, peoplePresent } from '#domain/consent.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import type { Repositories } from '../repositories.ts'

interface Parts extends Repositories {
  readonly db: Sqlite
  readonly outbox: Outbox
  readonly isRemote: () => boolean
  readonly address: () => string | null
}

type SignedNote = Readonly<Record<'id' | 'status' | 'signed_at', string>>

interface Found {
  readonly id: string
  readonly session_id: string
  readonly state: string
  readonly started_at: string
  /** Audit entry that records that the signer was told of the deletion. */
  readonly told: number | null
}

export const announced = 'recording.deletion-announced'

export type AudioRetention = ReturnType<typeof createAudioRetention>

/**
 * Decides what happens to the audio of a session. Every answer is read from the database now, because consent, note, outbox and
 * transcript can change between the signature and the deletion. Whatever is unknown keeps the audio.
 */
export function createAudioRetention(parts: Parts) {
  const { db, sessions, clients, isRemote, address } = parts
  const sql = prepare(db)
  const consentTo = createConsentTo(parts, (at) => sql.repairedSince.get(at) === undefined)
  /** A service whose records are read, and the last audit entry before that. */
  type Reading = { readonly address: string | null; readonly sequence: number }
  let begun: Reading | null = null
  let checked: Reading | null = null

  const afterSigning = (note: SignedNote, { client_id, id: session_id }: Session, told: number) => {
    const about = { client_id, session_id, note_id: note.id }
    if (note.status === 'awaiting_cosign') return 'cosignature'
    if (sql.unsent.get(about) !== undefined || (isRemote() && sql.unread.get(about) !== undefined)) return 'sync'
    if (checked === null || checked.address !== address()) return isRemote() ? 'sync' : 'check'
    return isRemote() && told > checked.sequence ? 'sync' : null
  }
  const planOf = (sessionId: string): AudioPlan | null => {
    const note = (sql.signedNote.get(sessionId) as SignedNote | undefined) ?? null
    const [recording, ...others] = sql.recordings.all(note?.signed_at ?? null, sessionId) as Found[]
    if (recording === undefined) return null
    const session = sessions.find(sessionId)
    const client = session && clients.find(session.client_id)
    if (!session || !client) return { outcome: 'kept', because: 'not-asked' }
    const consent = consentTo(session, client, note?.signed_at ?? null)
    const isUnannounced = note !== null && recording.told === null
    // A transcript is of one recording, so another one may be the only source of what was said.
    const isUncertain =
      others.length > 0 ||
      sql.older.get(sessionId, recording.started_at) !== undefined ||
      isUnannounced ||
      note?.status === 'entered_in_error'
    if (consent !== 'agreed' && isUncertain) return { outcome: 'kept', because: 'your-decision' }
    if (consent !== 'refused') return { outcome: 'kept', because: consent }
    const isOwed = isTranscriptOwed(parts, sessionId) || sql.wordless.get(sessionId) !== undefined
    const owed = recording.state !== 'finished' ? 'recording' : isOwed ? 'transcript' : null
    if (note !== null && recording.told !== null)
      return { outcome: 'deleted-after-signing', because: owed ?? afterSigning(note, session, recording.told) }
    const isUnheard = parts.transcripts.idOf(sessionId) === null
    return { outcome: 'deleted-by-signing', because: owed ?? (isUnheard ? 'unheard' : null) }
  }
  const isDue = ({ session_id }: Found): boolean => {
    const plan = planOf(session_id)
    return plan?.outcome === 'deleted-after-signing' && plan.because === null
  }
  return {
    planOf,
    due: (): string[] => (sql.waiting.all() as Found[]).filter(isDue).map(({ id }) => id),
    deletedBySigning: (sessionId: string): string | null =>
      planOf(sessionId)?.outcome === 'deleted-by-signing' ? (sql.recordings.get(null, sessionId) as Found).id : null,
    /** Call before the records of the embedded or the practice's service are read. */
    reading(): void {
      begun = { address: address(), sequence: sql.lastAudit.get() as number }
    },
    /** Call when they have been read and compared to the end. */
    checked(): void {
      checked = begun
    },
  }
}

/** @param isTrusted false if records may have been lost since this time */
function createConsentTo({ consents }: Parts, isTrusted: (since: string) => boolean) {
  return (session: Session, client: Client, signedAt: string | null) => {
    const people = peoplePresent(session.participants, client.display_name)
    const forms = consents.forms(client.id).get(client.id) ?? []
    const each = people.map((person) => keepingConsent(person, people, forms))
    if (each.every(({ state }) => state === 'agreed')) return 'agreed'
    if (each.some(({ state }) => state === 'unknown')) return 'not-asked'
    const isLater = ({ revoked_at }: (typeof forms)[number]): boolean =>
      signedAt !== null && revoked_at !== null && Date.parse(revoked_at) > Date.parse(signedAt)
    if (forms.some((form) => isLater(form) && people.some((person) => isFormOf(form, person, people)))) return 'your-decision'
    const since = each.flatMap((one) => (one.state === 'refused' ? [one.since] : []))
    return [...since, ...(signedAt === null ? [] : [signedAt])].every(isTrusted) ? 'refused' : 'repaired'
  }
}

/** A transcript that was stopped or failed is owed too: only its audio can still make it. */
function isTranscriptOwed({ outbox, work, transcripts }: Parts, sessionId: string): boolean {
  if (outbox.pendingWork(sessionId, 'transcribe') !== null) return true
  const { state, error } = work.get(sessionId, 'transcribe')
  const isReplaced = error === 'conflict' && transcripts.idOf(sessionId) !== null
  return !isReplaced && (state !== 'idle' || error !== null)
}

function prepare(db: Sqlite) {
  const isAnnounced = `from audit where action = '${announced}' and subject_id = recordings.id`
  const ofSession = `(client_id = @client_id and (session_id is null or session_id = @session_id))`
  return {
    signedNote: db.prepare(`
      select id, status, json_extract(signature, '$.at') as signed_at from notes
      where session_id = ? and signature is not null and status not in ('draft', 'in_review', 'returned')`),
    recordings: db.prepare(`
      select id, session_id, state, started_at, (select max(sequence) ${isAnnounced} and at = ?) as told
      from recordings where session_id = ? and state <> 'erased'`),
    waiting: db.prepare(`select id, session_id from recordings where state = 'finished' and exists (select 1 ${isAnnounced})`),
    wordless: db.prepare(`
      select 1 from transcripts where session_id = ? and not exists (select 1 from segments where transcript_id = transcripts.id)`),
    older: db.prepare('select 1 from transcripts where session_id = ? and julianday(created_at) < julianday(?)'),
    unsent: db.prepare(`
      select 1 from outbox where ${ofSession} and kind not in ('draft-note', 'analyze')
      union all select 1 from conflicts where ${ofSession} and resolved_at is null`),
    unread: db.prepare(`
      select 1 from pull_lists where state <> 'done' and kind in ('client', 'consent', 'session', 'note')
      union all select 1 from pull_wanted where kind = 'consent' or id in (@client_id, @session_id, @note_id)`),
    repairedSince: db.prepare(`select 1 from recovery_reports where file in ('vault', 'service') and at >= ?`),
    lastAudit: db.prepare('select coalesce(max(sequence), 0) from audit').pluck(),
  }
}
