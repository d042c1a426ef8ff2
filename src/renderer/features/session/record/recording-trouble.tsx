import { HardDrive, LockKeyhole, MicOff, RefreshCw, TriangleAlert, type LucideIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { bridge } from '#renderer/bridge/bridge.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { sessionWords } from '#renderer/strings/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/page.tsx'

const words = sessionWords.trouble

const icons: Record<TroubleKind, LucideIcon> = {
  'microphone-denied': MicOff,
  'microphone-missing': MicOff,
  'microphone-lost': MicOff,
  'disk-full': HardDrive,
  'disk-failed': HardDrive,
  restarting: RefreshCw,
  locked: LockKeyhole,
  other: TriangleAlert,
}

/** What is kept, what happened, what to do; it stays until it is solved. */
export function RecordingTrouble({ onGoOn }: { readonly onGoOn: (() => void) | null }) {
  const { state } = useRecorder()
  const isConnected = useConnected()
  const kind = troubleKind(state.error, isConnected, state.phase !== 'idle')
  if (kind === null) return null
  const { title, help } = isCutOff(kind, state.recording !== null) ? words.cutOff[kind] : words[kind]
  const isLoss = kind === 'disk-full' || kind === 'microphone-lost' || kind === 'other'
  return (
    <Notice
      tone={isLoss ? 'stopped' : 'needs'}
      icon={icons[kind]}
      title={title}
      actions={
        onGoOn !== null && isLoss ? (
          <Button size="row" onPress={onGoOn}>
            {words.goOn}
          </Button>
        ) : undefined
      }
    >
      {help}
    </Notice>
  )
}

function useConnected(): boolean {
  const [isConnected, setConnected] = useState(true)
  useEffect(() => bridge.onConnection(setConnected), [])
  return isConnected
}

/** What to tell while a recording is in trouble; the codes come from the recorder and the bridge. */
const troubleKinds = [
  'microphone-denied',
  'microphone-missing',
  'microphone-lost',
  'disk-full',
  'disk-failed',
  'restarting',
  'locked',
  'other',
] as const
type TroubleKind = (typeof troubleKinds)[number]

/** The microphone went away in the middle: what was recorded is there, and another microphone is waited for. */
export function isCutOff(kind: TroubleKind, hasRecording: boolean): kind is 'microphone-denied' | 'microphone-missing' {
  return hasRecording && (kind === 'microphone-denied' || kind === 'microphone-missing')
}

export function troubleKind(error: string | null, isConnected: boolean, isRunning: boolean): TroubleKind | null {
  if (!isConnected && isRunning) return 'restarting'
  // The consent gate says this itself, and better.
  if (error === null || error === 'consent-missing') return null
  if (error === 'service-unreachable' || error === 'recording-not-open') return isRunning ? 'restarting' : null
  if (error === 'vault-locked') return 'locked'
  return troubleKinds.find((kind) => kind === error) ?? 'other'
}
