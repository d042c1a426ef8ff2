import { Ban, Check, ShieldOff } from 'lucide-react'
import { navigate, sessionPath } from '#renderer/lib/navigation.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { DamagedSound } from '#renderer/sessions/damaged-sound.tsx'
import { thisWindow } from '#renderer/recorder/window-memory.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/page.tsx'
import { isRunning, type SessionData } from '../session-data.ts'
import { BeforeRecording } from './before-recording.tsx'
import { ConsentGate } from './consent-gate.tsx'
import { Interrupted } from './interrupted.tsx'
import { LastTime } from './last-time.tsx'
import { QuickNotes } from './quick-notes.tsx'
import { RecordedElsewhere } from './recorded-elsewhere.tsx'
import { RecordingNow } from './recording-now.tsx'
import { RecordingTrouble } from './recording-trouble.tsx'
import { SoFar } from './so-far.tsx'
import './record.css'
import './before-recording.css'

export function RecordTab({ data }: { readonly data: SessionData }) {
  const { state } = useRecorder()
  const isHere = state.recording?.session_id === data.row.session.id && state.phase !== 'idle'
  const isElsewhere = useElsewhere(data)
  const running = isHere || (isRunning(data.recording) && !isElsewhere)
  return (
    <div className="record">
      <div className="record-work" data-region>
        {running && data.recording !== null ? (
          <RecordingNow data={data} recording={data.recording} />
        ) : (
          <NotRecording data={data} isElsewhere={isElsewhere} />
        )}
      </div>
      <aside className="record-aside" data-region>
        {running && data.recording !== null && <QuickNotes recording={data.recording} />}
        <LastTime data={data} />
      </aside>
    </div>
  )
}

/** The core knows of another window that records this session. */
function useElsewhere({ recording }: SessionData): boolean {
  const { phase } = useRecorder().state
  const active = useCall('recordings.active', {}).data
  return phase === 'idle' && isRunning(recording) && active?.recording.id === recording?.id && active?.window_id !== thisWindow()
}

interface NotRecordingProps {
  readonly data: SessionData
  readonly isElsewhere: boolean
}

function NotRecording({ data, isElsewhere }: NotRecordingProps) {
  const { row, recording } = data
  const { state } = useRecorder()
  const active = useCall('recordings.active', {})
  if (isElsewhere && recording !== null) return <RecordedElsewhere data={data} recording={recording} />
  if (recording?.state === 'finished') return <Recorded data={data} />
  if (recording?.state === 'interrupted') return <Interrupted data={data} recording={recording} />
  if (row.session.status === 'cancelled') return <Notice icon={Ban} title={sessionWords.before.cancelled} />
  const other = active.data ?? null
  if (other !== null && other.recording.session_id !== row.session.id) {
    return (
      <Notice
        tone="needs"
        title={sessionWords.before.otherActive}
        actions={
          <Button onPress={() => navigate(sessionPath(other.recording.session_id))}>{sessionWords.before.openActive}</Button>
        }
      />
    )
  }
  return (
    <div className="record-before">
      {recording?.state === 'erased' && (
        <Notice icon={ShieldOff} title={sessionWords.before.erased}>
          {sessionWords.before.erasedHelp}
        </Notice>
      )}
      {state.error !== null && <RecordingTrouble onGoOn={null} />}
      {row.consent.granted.includes('record') ? <BeforeRecording data={data} /> : <ConsentGate data={data} />}
    </div>
  )
}

function Recorded({ data }: { readonly data: SessionData }) {
  const { recording } = data
  return (
    <div className="record-before">
      <DamagedSound recording={recording} />
      <Notice
        tone="kept"
        icon={Check}
        title={sessionWords.before.ended}
        actions={
          <Button variant="filled" onPress={() => navigate(sessionPath(data.row.session.id, 'transcript'))}>
            {sessionWords.before.toTranscript}
          </Button>
        }
      >
        {sessionWords.before.endedHelp}
      </Notice>
      {recording !== null && <SoFar recording={recording} isRunning={false} />}
    </div>
  )
}
