import { createContext, use, useState } from 'react'
import type { Settings } from '#contract/bridge/settings.ts'
import type { SessionRow, Work } from '#contract/bridge/sessions.ts'
import type { AudioPlan } from '#contract/bridge/recordings.ts'
import type { Recording } from '#contract/model/recording.ts'
import type { Participant } from '#contract/model/session.ts'
import { peoplePresent } from '#domain/consent.ts'
import { type Player, usePlayer } from '#renderer/audio/use-player.ts'
import { useBridgeEvent, useCall } from '#renderer/bridge/use-bridge.ts'
import { isUnreadable } from '#renderer/sessions/damage.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { formatClock, formatDate, formatLength } from '#renderer/strings/time.ts'

export interface SessionData {
  readonly id: string
  readonly row: SessionRow
  readonly settings: Settings
  /** Null if the session has no recording. While this window records the session, this is the recorder's own copy. */
  readonly recording: Recording | null
}

export const SessionContext = createContext<SessionData | null>(null)

export function useSession(): SessionData {
  const data = use(SessionContext)
  if (data === null) throw new Error('used outside of a session page')
  return data
}

export function peopleOf(row: Pick<SessionRow, 'session' | 'client_name'>): readonly Participant[] {
  return peoplePresent(row.session.participants, row.client_name)
}

export function playableId(recording: Recording | null): string | null {
  if (recording === null || recording.saved_ms === 0 || isUnreadable(recording)) return null
  return recording.state === 'finished' || recording.state === 'interrupted' ? recording.id : null
}

export const isRunning = (recording: Recording | null): boolean =>
  recording?.state === 'recording' || recording?.state === 'paused'

/** `sentence`: what will happen, or has happened, to the audio of this session; null without a recording. */
export function useAudioOutcome() {
  const { id, row, recording } = useSession()
  const { plan = null, receipt: last = null } = useCall('recordings.retention', { session_id: id }).data ?? {}
  if (recording?.state !== 'erased') return { plan, receipt: null, sentence: plan && sentenceOf(plan, peopleOf(row).length) }
  const at = recording.erased_at ?? recording.started_at
  const receipt = last?.deleted_at === at ? last : null
  const number = receipt === null ? null : String(receipt.number).padStart(4, '0')
  return { plan, receipt, sentence: words.erased({ day: formatDate(at), time: formatClock(at), receipt: number }) }
}

/** Audio of a signed note is opened only if it stays: it may be deleted while this page still shows it as there. */
export function useSessionPlayer(isSigned?: true): Player {
  const { row, recording } = useSession()
  const { plan } = useAudioOutcome()
  const isStaying = plan !== null && ![null, 'unheard', 'sync', 'check'].includes(plan.because)
  const { status } = row.note ?? {}
  const isOpened = isStaying || !(isSigned ?? (status === 'signed' || status === 'amended'))
  return usePlayer(isOpened ? playableId(recording) : null)
}

const words = sessionWords.audio

function sentenceOf(plan: AudioPlan, count: number): string {
  if (plan.outcome === 'deleted-by-signing') return words.whenSigned[plan.because ?? 'now']
  if (plan.outcome === 'deleted-after-signing') return words.stillHere[plan.because ?? 'check']
  const text = words.stays[plan.because]
  return typeof text === 'string' ? text : text({ count })
}

/** A gap under a second must not be shown as zero. */
export const gapLength = (ms: number): string => (ms < 1000 ? sessionWords.underASecond : formatLength(ms))

export const isWorking = ({ state, error }: Work): boolean => state === 'running' || (state === 'waiting' && error === null)

export function useWorkProgress(sessionId: string, kind: 'transcribe' | 'draft' | 'analyze', work: Work): Work {
  const [heard, setHeard] = useState<{ readonly of: Work; readonly progress: number } | null>(null)
  useBridgeEvent('work.progress', (event) => {
    if (event.session_id === sessionId && event.kind === kind) setHeard({ of: work, progress: event.progress })
  })
  const isBusy = work.state === 'running' || work.state === 'waiting'
  return isBusy && heard !== null && heard.of === work
    ? { ...work, state: 'running', progress: Math.max(work.progress, heard.progress) }
    : work
}
