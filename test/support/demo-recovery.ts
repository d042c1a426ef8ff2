import type { MethodOutput } from '#contract/bridge/methods.ts'
import type { Recording } from '#contract/model/recording.ts'
import { at, demoSessions } from './demo-records.ts'

/** Cut off twelve minutes ago, in a session that is known, one without consent, one that is missing. A test may set it later. */
export type DemoCutOff = 'session' | 'no consent' | 'no session'

const startOf = { session: at(24, 14), 'no consent': at(24, 15), 'no session': null } as const

function recordingOf(session_id: string): Recording {
  return {
    id: '01930009-0000-7000-8000-000000000001',
    session_id,
    state: 'interrupted',
    started_at: at(24, 13, 24),
    finished_at: null,
    saved_ms: 725_000,
    bytes: 2_500_000,
    gaps: [],
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
  const recording = recordingOf(row?.session.id ?? '01930009-0000-7000-8000-000000000002')
  return [
    {
      recording,
      client_name: row?.client_name ?? '',
      session_starts_at: row?.session.starts_at ?? recording.started_at,
      interrupted_at: at(24, 13, 36),
      lost_ms_at_most: 42_300,
    },
  ]
}
