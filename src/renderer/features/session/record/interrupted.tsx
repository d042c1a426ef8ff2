import { LifeBuoy } from 'lucide-react'
import { useState } from 'react'
import type { ErrorCode } from '#contract/errors.ts'
import type { Recording } from '#contract/model/recording.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { call, failureCode } from '#renderer/bridge/use-bridge.ts'
import { DamagedSound, isUnreadable, unreadableMs } from '#renderer/sessions/damaged-sound.tsx'
import { sessionWords } from '#renderer/strings/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { formatLength } from '#renderer/strings/time.ts'
import type { SessionData } from '../session-data.ts'
import { SoFar } from './so-far.tsx'

const words = sessionWords.interrupted

export function Interrupted({ data, recording }: { readonly data: SessionData; readonly recording: Recording }) {
  const { recorder, state } = useRecorder()
  const [error, setError] = useState<ErrorCode | null>(null)
  const isLost = isUnreadable(recording)
  const attempt = (work: () => Promise<unknown>) => () => void work().catch((failure: unknown) => setError(failureCode(failure)))
  return (
    <div className="record-before">
      <Notice
        tone="needs"
        icon={LifeBuoy}
        title={words.title}
        actions={
          <>
            <Button onPress={attempt(() => call('recordings.finish', { recording_id: recording.id }))}>
              {isLost ? words.finishWithout : words.finish}
            </Button>
            {data.row.consent.granted.includes('record') && (
              <Button
                busy={state.phase === 'starting' ? sessionWords.before.starting : undefined}
                onPress={attempt(() => recorder.takeUp(recording.id, 'interruption'))}
              >
                {words.resume}
              </Button>
            )}
          </>
        }
      >
        {isLost ? null : words.help(formatLength(recording.saved_ms - unreadableMs(recording)))}
      </Notice>
      <DamagedSound recording={recording} />
      {error !== null && <Problem code={error} />}
      <SoFar recording={recording} isRunning={false} />
    </div>
  )
}
