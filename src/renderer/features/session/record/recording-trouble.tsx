import { HardDrive, LockKeyhole, MicOff, RefreshCw, TriangleAlert, type LucideIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { bridge } from '#renderer/bridge/bridge.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { sessionWords } from '#renderer/strings/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/page.tsx'
import { isCutOff, troubleKind, type TroubleKind } from '#renderer/recorder/recorder-state.ts'

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
