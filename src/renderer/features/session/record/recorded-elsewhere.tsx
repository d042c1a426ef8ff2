import { AppWindow } from 'lucide-react'
import { useState } from 'react'
import type { Recording } from '#contract/model/recording.ts'
import { useSaving } from '#renderer/lib/use-saving.ts'
import { useBridgeEvent } from '#renderer/bridge/use-bridge.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/page.tsx'
import { formatLength } from '#renderer/strings/time.ts'
import type { SessionData } from '../session-data.ts'
import { EndDialog } from './end-dialog.tsx'
import { SoFar } from './so-far.tsx'

const words = sessionWords.elsewhere

interface ElsewhereProps {
  readonly data: SessionData
  readonly recording: Recording
}

/** Another window has the microphone. What it shows of itself is not known here; what reaches the disk is. */
export function RecordedElsewhere({ data, recording }: ElsewhereProps) {
  const saving = useSaving()
  const [saved, setSaved] = useState(0)
  const [isEnding, setEnding] = useState(false)
  useBridgeEvent('recording.saved', (record) => {
    if (record.recording_id === recording.id) setSaved(record.saved_ms)
  })
  const isPaused = recording.state === 'paused'
  const isSilent = !isPaused && saving.kind === 'silent'
  const savedMs = Math.max(saved, recording.saved_ms)
  return (
    <div className="record-before">
      <Notice
        tone={isSilent ? 'needs' : 'kept'}
        icon={AppWindow}
        title={isSilent ? words.silent(formatLength(saving.ms)) : isPaused ? words.paused : words.title}
        actions={<Button onPress={() => setEnding(true)}>{sessionWords.now.end}</Button>}
      >
        {words.saved(formatLength(savedMs))} {isSilent ? words.check : words.controls}
      </Notice>
      <SoFar recording={recording} isRunning={false} />
      <EndDialog data={data} recording={recording} isOpen={isEnding} onClose={() => setEnding(false)} />
    </div>
  )
}
