import type { MethodOutput } from '#contract/bridge/methods.ts'
import type { Handlers, MethodName } from '#contract/bridge/methods.ts'
import type { LostPart, RecoveryReport } from '#contract/bridge/recovery.ts'
import type { Note } from '#contract/model/note.ts'
import type { Recording } from '#contract/model/recording.ts'
import { demoTranscript } from './demo-insights.ts'
import { at, demoSessions } from './demo-records.ts'

/** Cut off twelve minutes ago, in a session that is known, one without consent, one that is missing. A test may set it later. */
export type DemoCutOff = 'session' | 'ended' | 'lost session' | 'no consent' | 'no session' | 'damaged' | 'file missing'

const startOf = {
  session: at(24, 14),
  ended: at(24, 14),
  'lost session': at(24, 15),
  'no consent': at(24, 15),
  'no session': null,
  damaged: at(24, 14),
  'file missing': at(24, 14),
} as const
const unreadableOf: Partial<Record<DemoCutOff, number>> = { damaged: 8000, 'file missing': 725_000 }

function recordingOf(session_id: string, unreadable_ms: number): Recording {
  return {
    id: '01930009-0000-7000-8000-000000000001',
    session_id,
    state: 'interrupted',
    started_at: at(24, 13, 24),
    finished_at: null,
    saved_ms: 725_000,
    bytes: 2_500_000,
    gaps: unreadable_ms === 0 ? [] : [{ at_ms: 725_000 - unreadable_ms, duration_ms: unreadable_ms, reason: 'damage' }],
    marks: [],
    device_label: 'Desk microphone',
    ogg_bytes: null,
    ogg_sha256: null,
    erased_at: null,
    checked_at: null,
  }
}

export function cutOffRecordings(cutOff: DemoCutOff | undefined): MethodOutput<'recordings.recoverable'> {
  if (cutOff === undefined) return []
  const row = demoSessions.find(({ session }) => session.starts_at === startOf[cutOff])
  const made = recordingOf(row?.session.id ?? '01930009-0000-7000-8000-000000000002', unreadableOf[cutOff] ?? 0)
  const recording = cutOff === 'ended' ? { ...made, finished_at: at(24, 13, 36) } : made
  return [
    {
      recording,
      client_name: cutOff === 'lost session' ? 'Unknown client' : (row?.client_name ?? ''),
      session_starts_at: row?.session.starts_at ?? recording.started_at,
      interrupted_at: at(24, 13, 36),
      lost_ms_at_most: cutOff === 'ended' ? 0 : 42_300,
    },
  ]
}

const names = ['Maren Holt', 'Jonah Whitfield-Okonkwo', 'Priya Raman', 'Theodora van der Westhuizen']
/** Both databases were put back: a month of work, some of it lost. */
export const reportWithLosses: RecoveryReport = {
  id: '0198c0de-0000-7000-8000-000000000002',
  at: '2026-11-24T08:00:00.000Z',
  file: 'vault',
  cause: 'behind',
  set_aside: [],
  copies: ['backup/vault.db'],
  pages: 0,
  unreadable_pages: 0,
  solved_at: null,
  items: [
    {
      kind: 'settings',
      is_recovered: true,
      is_partial: false,
      is_signed: false,
      client_name: null,
      session_id: null,
      date: null,
    },
    {
      kind: 'connection',
      is_recovered: false,
      is_partial: false,
      is_signed: false,
      client_name: null,
      session_id: null,
      date: null,
    },
    ...names.flatMap((client_name, at) => [
      {
        kind: 'client' as const,
        is_recovered: false,
        is_partial: at === 0,
        is_signed: false,
        session_id: demoSessions[6]!.session.id,
        client_name,
        date: '2026-10-01T14:00:00.000Z',
      },
      ...Array.from({ length: 6 }, (_, day) => ({
        session_id: demoSessions[6]!.session.id,
        client_name,
        date: `2026-10-0${day + 1}T14:00:00.000Z`,
      })).flatMap((of, day) =>
        (['session', 'transcript', 'note'] as const).map((kind) => ({
          kind,
          is_recovered: day > 2,
          is_partial: kind === 'transcript' && day === 0,
          is_signed: kind === 'note' && day === 1,
          ...of,
        })),
      ),
    ]),
  ],
}

const saidInSession = demoTranscript.segments[2]!

export const noteOf = (session_id: string, isSigned = true): Note => ({
  ...demoTranscript,
  session_id,
  client_id: null,
  template: 'soap',
  status: isSigned ? 'signed' : 'draft',
  sections: [
    {
      key: 'subjective',
      title: 'Subjective',
      statements: [
        {
          id: 'said',
          text: saidInSession.text,
          evidence: [
            { segment_id: saidInSession.id, start_ms: null, end_ms: null, quote: saidInSession.text, quote_sha256: null },
          ],
          support: 'stated',
          origin: 'rules',
          finding: null,
          safety: false,
          confirmed_at: null,
        },
      ],
    },
  ],
  unsupported: [],
  omissions: [],
  checks: [],
  engine: { name: 'rules', version: '1', model: null },
  signature: isSigned
    ? { by: 'Dana Okell', credential: null, at: at(24, 11), method: 'click', content_hash: 'ab'.repeat(32) }
    : null,
  addenda: [],
})

const idle = { state: 'idle', progress: 0, error: null } as const

/** @param isOutdated every session has a draft that is older than its transcript; otherwise only the plan is read */
export function demoNotes(isOutdated = false): Partial<Handlers<MethodName>> {
  const [said] = noteOf('').sections[0]!.statements
  const own = { ...said!, evidence: [], text: 'The call with her sister, and the sleep diary she agreed to keep.' }
  const statements = [
    { ...own, id: 'empty', text: 'Not stated in session.', support: 'paraphrase' as const },
    { ...own, id: 'own', origin: 'person' as const },
  ]
  const sections = [{ key: 'plan', title: 'Plan', statements }]
  return {
    'notes.get': ({ session_id }) => ({
      note: { ...noteOf(session_id), ...(isOutdated ? { status: 'draft', signature: null } : { sections }) },
      work: idle,
      is_outdated: isOutdated,
    }),
    'notes.payerChecks': () => ({ minutes: 50, checks: [] }),
    'exports.note': ({ format }) => ({
      url: '/exports/1',
      file_name: `note.${format}`,
      media_type: 'application/octet-stream',
      unprintable: format === 'pdf' ? ['王', 'ע'] : [],
    }),
  }
}

export type DemoLost = Omit<LostPart, 'session_id'>

export function demoLost(lost: readonly DemoLost[] | undefined): Partial<Handlers<MethodName>> {
  if (lost === undefined) return {}
  const isLost = (kind: LostPart['kind']): boolean => lost.some((part) => part.kind === kind && !part.is_partial)
  return {
    'notes.get': ({ session_id }) => ({ note: isLost('note') ? null : noteOf(session_id), work: idle, is_outdated: false }),
    'transcripts.get': () => ({ transcript: isLost('transcript') ? null : demoTranscript, work: idle, speech_ready: true }),
  }
}
