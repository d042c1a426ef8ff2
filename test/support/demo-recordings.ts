import type { Handlers, MethodName, MethodOutput } from '#contract/bridge/methods.ts'
import type { RecoveryReport } from '#contract/bridge/recovery.ts'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import type { Recording } from '#contract/model/recording.ts'
import { at, demoSessions } from './demo-records.ts'
import { cutOffRecordings, type DemoCutOff, type DemoLost, demoLost, noteOf, reportWithLosses } from './demo-recovery.ts'

export interface DemoRecordings {
  /** What was recovered from damaged files and not read yet. */
  readonly recovery?: readonly RecoveryReport[] | 'with losses'
  readonly isNotCompared?: boolean
  /** Of every session: what was lost, and a note about the turns of a lost transcript. */
  readonly lost?: readonly DemoLost[]
  /** The notes of all sessions that ended and have none. */
  readonly lostNotes?: true
  readonly damaged?: 'three recordings'
  /** Of every session: a recording that ended and plays. */
  readonly recorded?: 'without a transcript'
  readonly cutOff?: DemoCutOff
  /** Of every session: what happens to its audio, or happened. */
  readonly audio?: keyof typeof audioOutcomes
  /** Of every session: what the client has not agreed to. */
  readonly refused?: 'transcribe' | 'draft'
  /** Of every session: a recording that another window is making. */
  readonly isRunningElsewhere?: true
  /** No transcript can be made. */
  readonly isDeaf?: true
}

/** A recording of 16 s whose file was cut in half. */
function damagedRecording(session_id: string): Recording {
  return {
    id: '01930006-0000-7000-8000-000000000001',
    session_id,
    state: 'finished',
    started_at: at(24, 10),
    finished_at: at(24, 10, 52),
    saved_ms: 16_000,
    bytes: 60_000,
    gaps: [
      { at_ms: 3000, duration_ms: 42_000, reason: 'pause' },
      { at_ms: 8000, duration_ms: 8000, reason: 'damage' },
    ],
    marks: [],
    device_label: 'Desk microphone',
    ogg_bytes: 55_000,
    ogg_sha256: 'ab'.repeat(32),
    checked_at: at(24, 13, 40),
    erased_at: null,
  }
}

const damagedSessions = demoSessions.slice(4, 7)

const damages: MethodOutput<'recordings.damaged'> = damagedSessions.map(({ session, client_name }, index) => ({
  recording_id: `01930006-0000-7000-8000-00000000000${index + 1}`,
  session_id: session.id,
  client_name,
  session_starts_at: session.starts_at,
  saved_ms: [3_000_000, 16_000, 2_880_000][index] ?? 0,
  unreadable_ms: [600, 8000, 2_880_000][index] ?? 0,
}))

function finishedRecording(session_id: string): Recording {
  const marks = [{ id: '01930007-0000-7000-8000-000000000001', at_ms: 6000, text: 'Sister', created_at: at(24, 10) }]
  return { ...damagedRecording(session_id), gaps: [{ at_ms: 3000, duration_ms: 42_000, reason: 'pause' }], marks }
}

const lostNotes: MethodOutput<'recovery.lostParts'> = demoSessions.slice(4, 7).map(({ session }) => ({
  session_id: session.id,
  kind: 'note',
  count: 1,
  is_partial: false,
  is_signed: false,
  at: at(24, 8),
}))

const ofEverySession = (lost: readonly DemoLost[]) =>
  demoSessions.flatMap(({ session }) => lost.map((part) => ({ session_id: session.id, ...part })))

const fingerprint = 'ab'.repeat(32)

const audioOutcomes = {
  'deleted by signing': { plan: { outcome: 'deleted-by-signing', because: null }, receipt: null },
  'deleted without a transcript': { plan: { outcome: 'deleted-by-signing', because: 'unheard' }, receipt: null },
  agreed: { plan: { outcome: 'kept', because: 'agreed' }, receipt: null },
  'not asked': { plan: { outcome: 'kept', because: 'not-asked' }, receipt: null },
  'signed, owed': { plan: { outcome: 'deleted-after-signing', because: 'transcript' }, receipt: null },
  'signed, kept': { plan: { outcome: 'kept', because: 'your-decision' }, receipt: null },
  'signed, deleted': {
    plan: null,
    receipt: {
      number: 192,
      deleted_at: at(24, 15, 20),
      deleted_by: 'Dana Okell',
      reason: 'signed',
      started_at: at(24, 10),
      saved_ms: 3_120_000,
      ogg_sha256: fingerprint,
      note_sha256: fingerprint,
    },
  },
} as const satisfies Record<string, MethodOutput<'recordings.retention'>>

const isDone = ({ audio }: DemoRecordings): boolean => audio?.startsWith('signed') === true

function signing(scene: DemoRecordings): Partial<Handlers<MethodName>> {
  if (scene.audio === undefined) return {}
  const work = { state: 'idle', progress: 0, error: null } as const
  return {
    'notes.get': ({ session_id }) => ({ note: noteOf(session_id, isDone(scene)), work, is_outdated: false }),
    'notes.payerChecks': () => ({ minutes: 52, checks: [] }),
  }
}

export function withConsent(row: SessionRow, scene: DemoRecordings): SessionRow {
  const { refused, audio } = scene
  if (audio !== undefined && row.note !== null)
    return { ...row, note: { ...row.note, status: isDone(scene) ? 'signed' : 'draft' } }
  if (refused === undefined) return row
  const missing = [{ participant: { name: row.client_name, role: 'client' as const }, scopes: [refused] }]
  const granted = row.consent.granted.filter((scope) => scope !== refused)
  const note = row.note && { ...row.note, status: 'draft' as const }
  return { ...row, note, consent: { granted, missing } }
}

function recordingOf(session_id: string, { isRunningElsewhere, audio }: DemoRecordings): Recording {
  const recording = finishedRecording(session_id)
  const erased_at = audio === undefined ? null : (audioOutcomes[audio].receipt?.deleted_at ?? null)
  if (erased_at !== null) return { ...recording, state: 'erased', erased_at, marks: [], gaps: [], bytes: 0 }
  return isRunningElsewhere ? { ...recording, state: 'recording', finished_at: null } : recording
}

const undrafted: Partial<Handlers<MethodName>> = {
  'notes.get': () => ({ note: null, work: { state: 'idle', progress: 0, error: null }, is_outdated: false }),
}

const unheard: Partial<Handlers<MethodName>> = {
  'transcripts.get': () => ({ transcript: null, work: { state: 'idle', progress: 0, error: null }, speech_ready: true }),
}

const elsewhere: MethodOutput<'recordings.active'> = {
  recording: recordingOf(demoSessions[6]!.session.id, { isRunningElsewhere: true }),
  client_name: demoSessions[6]!.client_name,
  window_id: 'another window',
  started_at: at(24, 10),
}

const deaf: Partial<Handlers<MethodName>> = {
  'transcripts.get': () => ({ transcript: null, work: { state: 'idle', progress: 0, error: null }, speech_ready: false }),
}

export function demoRecordings(scene: DemoRecordings) {
  const { damaged, recovery = [] } = scene
  const [read, removed] = [new Set<string>(), new Set<string>()]
  const reports = recovery === 'with losses' ? [reportWithLosses] : recovery
  const isDamaged = damaged !== undefined
  return {
    'recovery.reports': () => reports.filter(({ id }) => !read.has(id)),
    'recovery.markRead': ({ id }) => {
      read.add(id)
      return {}
    },
    'recovery.readReports': () => reports.filter(({ id }) => read.has(id) && !removed.has(id)),
    'recovery.removeRead': ({ id }) => {
      removed.add(id)
      return {}
    },
    'recovery.state': () => ({ needs_repair: false, is_not_compared: scene.isNotCompared === true }),
    'recovery.lostParts': () => (scene.lostNotes ? lostNotes : ofEverySession(scene.lost ?? [])),
    'recordings.active': () => (scene.isRunningElsewhere ? elsewhere : null),
    'recordings.recoverable': () => cutOffRecordings(scene.cutOff),
    'recordings.get': ({ session_id }) =>
      isDamaged
        ? damagedRecording(session_id)
        : scene.recorded || scene.audio || scene.isRunningElsewhere
          ? recordingOf(session_id, scene)
          : null,
    'recordings.retention': () => (scene.audio === undefined ? { plan: null, receipt: null } : audioOutcomes[scene.audio]),
    'recordings.damaged': () => (isDamaged ? damages : []),
    'recordings.dismissDamage': () => ({}),
    'recordings.waveform': () => ({ peaks: [0.3, 0.6, 0.4, 0.5, 0, 0, 0, 0], duration_ms: 16_000 }),
    'recordings.space': () => ({ free_bytes: 600_000_000, hours: 41.4 }),
    ...(scene.recorded === undefined ? {} : unheard),
    ...demoLost(scene.lost),
    ...(scene.refused === undefined ? {} : undrafted),
    ...signing(scene),
    ...(scene.isDeaf === undefined ? {} : deaf),
  } satisfies Partial<Handlers<MethodName>>
}
