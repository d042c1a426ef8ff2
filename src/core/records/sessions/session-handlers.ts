import type { Handlers, MethodRequest } from '#contract/bridge/methods.ts'
import { AppError } from '#contract/errors.ts'
import { newId } from '#base/ids.ts'
import { consentGate, type TakeBackWork } from '../consent/consent-service.ts'
import { bookSession, changeSession, instant, refuseDoubleBooking } from './change-session.ts'
import { billingOf, isShown, owesNote, sessionColumns, sessionFromRow } from './session-repository.ts'
import type { SessionRow, Work } from '#contract/bridge/sessions.ts'
import type { NoteBody, Note } from '#contract/model/note.ts'
import type { Session } from '#contract/model/session.ts'
import { timestamp } from '#base/clock.ts'
import { peoplePresent } from '#domain/consent.ts'
import { currentGaps, unreadableMs } from '#core/recordings/recording-repository.ts'
import type { RecordParts } from '#core/records/repositories.ts'
import { type Change, existing } from '#core/records/change.ts'

interface Parts extends RecordParts {
  readonly stopUnconsented: (clientId: string) => Promise<void>
  readonly takeBackWork: TakeBackWork
}

type Names = `sessions.${'list' | 'unfinished' | 'get' | 'create' | 'update' | 'cancel' | 'changeAll'}`

export function sessionHandlers(parts: Parts): Handlers<Names> {
  const { clients, sessions, change, clock, settings, stopUnconsented } = parts
  const rows = createSessionRows(parts)
  const { update, cancel } = appointmentChanges(parts, rows)
  return {
    'sessions.list': ({ client_id, from, to }) => rows.list({ client_id, from: from && instant(from), to: to && instant(to) }),
    'sessions.unfinished': ({ limit }) => rows.unfinished(limit),
    'sessions.get': ({ id }) => existing(rows.get(id)),
    'sessions.create': (input) =>
      change(['sessions', 'clients'], (within) => {
        existing(clients.find(input.client_id))
        const clinician_id = settings().therapist_id
        return bookSession(sessions, within, { ...input, starts_at: instant(input.starts_at), clinician_id, id: newId(clock) })
      }),
    async 'sessions.update'(input) {
      const session = change(['sessions', 'clients'], (within) => update(within, input))
      if (input.patch.participants !== undefined) await stopUnconsented(session.client_id)
      return session
    },
    'sessions.cancel': (input) => change(['sessions', 'clients'], (within) => cancel(within, input)),
    'sessions.changeAll': ({ changes }) =>
      change(['sessions', 'clients'], (within) =>
        changes.map(({ cancellation, ...input }) => {
          const session = update(within, input)
          return cancellation === null ? session : cancel(within, { id: input.id, version: session.version, ...cancellation })
        }),
      ),
  }
}

/** Changes within a transaction of the caller. */
function appointmentChanges({ sessions, transcripts, takeBackWork }: Parts, rows: ReturnType<typeof createSessionRows>) {
  return {
    update(within: Change, { id, version, patch, billing }: MethodRequest<'sessions.update'>): Session {
      const before = existing(sessions.find(id))
      if (before.version !== version) throw new AppError('stale-version')
      const after = changeSession(sessions, within, before, patch)
      if (patch.starts_at !== undefined || patch.duration_minutes !== undefined || patch.status !== undefined) {
        refuseDoubleBooking(sessions, after)
      }
      if (after.starts_at !== before.starts_at) transcripts.move(id, after.starts_at)
      if (patch.participants !== undefined) takeBackWork(after.client_id)
      if (billing !== undefined) {
        sessions.setBilling(id, billing)
        within.audit({ action: 'session.billing-changed', subject_id: id, client_id: after.client_id })
      }
      return after
    },
    cancel(within: Change, { id, version, ...cancellation }: MethodRequest<'sessions.cancel'>): Session {
      const { session, recording, transcript, note } = existing(rows.get(id))
      if (session.version !== version) throw new AppError('stale-version')
      const isDocumented = recording !== null || transcript.present || note !== null
      if (cancellation.is_deleted && isDocumented) throw new AppError('conflict', 'It has a recording, transcript or note.')
      const after = changeSession(sessions, within, session, { status: 'cancelled' })
      sessions.cancel(id, cancellation)
      const action = cancellation.is_deleted ? 'session.deleted' : 'session.canceled'
      within.audit({ action, subject_id: id, client_id: after.client_id })
      return after
    },
  }
}

type RecordingSummary = NonNullable<SessionRow['recording']>

interface Joined extends Record<string, unknown> {
  readonly client_id: string
  readonly client_name: string
  readonly number: number
  readonly has_transcript: number
  readonly note_id: string | null
  readonly note_status: Note['status']
  readonly note_template: NoteBody['template']
  readonly note_to_check: number
  readonly recording_id: string | null
  readonly recording_state: RecordingSummary['state']
  readonly recording_saved_ms: number
  readonly recording_gaps: string
  readonly recording_unreadable: string | null
}

const canceledElsewhere = '{"is_late":false,"reason":null,"is_deleted":false}'

function createSessionRows({ db, consents, clock }: Pick<RecordParts, 'db' | 'consents' | 'clock'>) {
  // Sessions are numbered before filtering, because the number counts all sessions with the client.
  const query = (where: string, order: string, numbered: string) =>
    db.prepare(`
      select ${sessionColumns.map((name) => `sessions.${name}`).join(', ')}, clients.display_name as client_name, numbered.number,
        iif(sessions.status = 'cancelled', ifnull(sessions.cancellation, '${canceledElsewhere}'), 'null') as cancellation, sessions.billing,
        ${owesNote} as owes_note,
        transcripts.id is not null as has_transcript,
        notes.id as note_id, notes.status as note_status, notes.template as note_template, notes.to_check as note_to_check,
        recordings.id as recording_id, recordings.state as recording_state, recordings.saved_ms as recording_saved_ms,
        recordings.gaps as recording_gaps, recordings.unreadable as recording_unreadable,
        ${workColumns('transcribing', 'transcribe')}, ${workColumns('drafting', 'draft')}
      from sessions
      join clients on clients.id = sessions.client_id
      join (select id, row_number() over (partition by client_id order by starts_at, id) as number from sessions ${numbered}) as numbered
        on numbered.id = sessions.id
      left join transcripts on transcripts.session_id = sessions.id
      left join notes on notes.session_id = sessions.id
      left join recordings on recordings.id =
        (select id from recordings where session_id = sessions.id order by state = 'erased', started_at desc limit 1)
      left join work as transcribing on transcribing.session_id = sessions.id and transcribing.kind = 'transcribe'
      left join work as drafting on drafting.session_id = sessions.id and drafting.kind = 'draft'
      where ${where} order by ${order}`)

  const byTime = 'sessions.starts_at, sessions.id'
  const range = `${isShown} and (@from is null or sessions.starts_at >= @from) and (@to is null or sessions.starts_at < @to)`
  const all = query(range, byTime, `where ${isShown}`)
  const ofClient = query(`sessions.client_id = @client_id and ${range}`, byTime, `where client_id = @client_id and ${isShown}`)
  const unfinished = query(owesNote, 'sessions.starts_at desc, sessions.id desc limit @limit', `where ${isShown}`)
  const owed = db
    .prepare(`select count(*) from sessions left join notes on notes.session_id = sessions.id where ${owesNote}`)
    .pluck()
  const ofOne = `where client_id = (select client_id from sessions where id = @id) and (${isShown} or id = @id)`
  const one = query('sessions.id = @id', byTime, ofOne)
  const now = (): string => timestamp(clock)

  const rowsOf = (found: unknown[], clientId?: string): SessionRow[] => {
    const forms = found.length === 0 ? new Map() : consents.forms(clientId)
    return (found as Joined[]).map((row) => {
      const session = sessionFromRow(Object.fromEntries(sessionColumns.map((name) => [name, row[name]])))
      const consent = consentGate(peoplePresent(session.participants, row.client_name), forms.get(row.client_id) ?? [])
      return { session, ...fieldsOf(row), consent }
    })
  }
  return {
    get(id: string): SessionRow | null {
      const found = one.all({ id, now: now() }) as Joined[]
      return rowsOf(found, found[0]?.client_id)[0] ?? null
    },
    list({ client_id, from, to }: MethodRequest<'sessions.list'>): SessionRow[] {
      const parameters = { client_id: client_id ?? null, from: from ?? null, to: to ?? null, now: now() }
      return rowsOf(client_id === undefined ? all.all(parameters) : ofClient.all(parameters), client_id)
    },
    unfinished: (limit: number) => ({
      count: owed.get({ now: now() }) as number,
      rows: rowsOf(unfinished.all({ now: now(), limit })),
    }),
  }
}

function workColumns(table: string, prefix: string): string {
  return `coalesce(${table}.state, 'idle') as ${prefix}_state, coalesce(${table}.progress, 0) as ${prefix}_progress, ${table}.error as ${prefix}_error`
}

function fieldsOf(row: Joined): Omit<SessionRow, 'session' | 'consent'> {
  const workOf = (prefix: 'transcribe' | 'draft'): Work => ({
    state: row[`${prefix}_state`] as Work['state'],
    progress: row[`${prefix}_progress`] as number,
    error: row[`${prefix}_error`] as string | null,
  })
  const note =
    row.note_id === null
      ? null
      : { id: row.note_id, status: row.note_status, template: row.note_template, to_check: row.note_to_check }
  const { client_name, number } = row
  const cancellation = JSON.parse(row['cancellation'] as string) as SessionRow['cancellation']
  const transcript = { present: row.has_transcript === 1, work: workOf('transcribe') }
  const owes_note = row['owes_note'] === 1
  const billing = billingOf(row['billing'])
  const recording = recordingOf(row)
  return { client_name, number, cancellation, billing, owes_note, recording, transcript, note, note_work: workOf('draft') }
}

function recordingOf(row: Joined): SessionRow['recording'] {
  if (row.recording_id === null) return null
  const gaps = currentGaps({ gaps: row.recording_gaps, unreadable: row.recording_unreadable })
  const { recording_state: state, recording_saved_ms: saved_ms } = row
  return { id: row.recording_id, state, saved_ms, unreadable_ms: unreadableMs(gaps) }
}
