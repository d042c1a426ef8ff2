import { Ban, Check, ShieldOff, AppWindow, LifeBuoy } from 'lucide-react'
import { useState, useRef } from 'react'
import { navigate, sessionPath } from '#renderer/lib/routes.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { useCall, useBridgeEvent, call, failureCode, useAction } from '#renderer/bridge/use-bridge.ts'
import { isUnreadable, unreadableMs } from '#renderer/sessions/damage.ts'
import { DamagedSound } from '#renderer/sessions/damaged-sound.tsx'
import { thisWindow } from '#renderer/recorder/window-memory.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { formatDate, formatLength } from '#renderer/strings/time.ts'
import type { Recording } from '#contract/model/recording.ts'
import { useSaving } from '#renderer/lib/recording-sign.tsx'
import type { ErrorCode } from '#contract/errors.ts'
import { TextField } from '#renderer/ui/field.tsx'
import { isRunning, type SessionData } from '../session-data.ts'
import { SessionSound } from '../session-sound.tsx'
import { BeforeRecording } from './before-recording.tsx'
import { ConsentGate } from './consent-gate.tsx'
import { RecordingNow } from './recording-now.tsx'
import { RecordingTrouble } from './recording-trouble.tsx'
import { SoFar } from './so-far.tsx'
import { EndDialog } from './end-dialog.tsx'
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
      <DamagedSound recording={recording} row={data.row} />
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
      <SessionSound recording={recording} />
      {recording !== null && <SoFar recording={recording} isRunning={false} />}
    </div>
  )
}

const words = sessionWords.now

function LastTime({ data }: { readonly data: SessionData }) {
  const { session } = data.row
  const rows = useCall('sessions.list', { client_id: session.client_id, to: session.starts_at })
  const last = (rows.data ?? [])
    .filter((row) => row.session.id !== session.id && row.note !== null && row.session.starts_at < session.starts_at)
    .toSorted((a, b) => b.session.starts_at.localeCompare(a.session.starts_at))[0]
  const note = useCall('notes.get', { session_id: last?.session.id ?? session.id }, { enabled: last !== undefined })
  const plan = note.data?.note?.sections.find((section) => `${section.key} ${section.title}`.toLowerCase().includes('plan'))
  if (last === undefined || plan === undefined || plan.statements.length === 0) return null
  return (
    <section className="last-time" aria-labelledby="last-time-title">
      <div className="last-time-head">
        <h2 id="last-time-title" className="session-aside-title">
          {words.lastTime}
        </h2>
        <span className="caption">{formatDate(last.session.starts_at)}</span>
      </div>
      {plan.statements.slice(0, 4).map((statement) => (
        <p key={statement.id}>{statement.text}</p>
      ))}
    </section>
  )
}

const recordedElsewhereWords = sessionWords.elsewhere

interface ElsewhereProps {
  readonly data: SessionData
  readonly recording: Recording
}

function RecordedElsewhere({ data, recording }: ElsewhereProps) {
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
        title={
          isSilent
            ? recordedElsewhereWords.silent({ length: formatLength(saving.ms) })
            : isPaused
              ? recordedElsewhereWords.paused
              : recordedElsewhereWords.title
        }
        actions={<Button onPress={() => setEnding(true)}>{sessionWords.now.end}</Button>}
      >
        {recordedElsewhereWords.saved({ length: formatLength(savedMs) })}{' '}
        {isSilent ? recordedElsewhereWords.check : recordedElsewhereWords.controls}
      </Notice>
      <SoFar recording={recording} isRunning={false} />
      <EndDialog data={data} recording={recording} isOpen={isEnding} onClose={() => setEnding(false)} />
    </div>
  )
}

const interruptedWords = sessionWords.interrupted

function Interrupted({ data, recording }: { readonly data: SessionData; readonly recording: Recording }) {
  const { recorder, state } = useRecorder()
  const [error, setError] = useState<ErrorCode | null>(null)
  const isLost = isUnreadable(recording)
  const attempt = (work: () => Promise<unknown>) => () => void work().catch((failure: unknown) => setError(failureCode(failure)))
  return (
    <div className="record-before">
      <Notice
        tone="needs"
        icon={LifeBuoy}
        title={interruptedWords.title}
        actions={
          <>
            <Button onPress={attempt(() => call('recordings.finish', { recording_id: recording.id }))}>
              {isLost ? interruptedWords.finishWithout : interruptedWords.finish}
            </Button>
            {data.row.consent.granted.includes('record') && (
              <Button
                busy={state.phase === 'starting' ? sessionWords.before.starting : undefined}
                onPress={attempt(() => recorder.takeUp(recording.id, 'interruption'))}
              >
                {interruptedWords.resume}
              </Button>
            )}
          </>
        }
      >
        {isLost ? null : interruptedWords.help({ length: formatLength(recording.saved_ms - unreadableMs(recording)) })}
      </Notice>
      <DamagedSound recording={recording} row={data.row} />
      {error !== null && <Problem code={error} />}
      <SessionSound recording={recording} />
      <SoFar recording={recording} isRunning={false} />
    </div>
  )
}

/** A line gets the time of its first letter, because that is when its topic came up. */
function QuickNotes({ recording }: { readonly recording: Recording }) {
  const { state } = useRecorder()
  const [text, setText] = useState('')
  const begunAt = useRef<number | null>(null)
  const add = useAction('recordings.addMark')
  const change = (next: string): void => {
    if (next !== '' && begunAt.current === null) begunAt.current = state.captured_ms
    if (next === '') begunAt.current = null
    setText(next)
  }
  const keep = (): void => {
    const line = text.trim()
    if (line === '' || add.isPending) return
    add.mutate(
      { recording_id: recording.id, at_ms: Math.round(begunAt.current ?? state.captured_ms), text: line },
      { onSuccess: () => change('') },
    )
  }
  return (
    <section className="quick-notes" aria-labelledby="quick-notes-title">
      <h2 id="quick-notes-title" className="session-aside-title">
        {words.quickNotes}
      </h2>
      <TextField
        label={words.quickNotesField}
        isLabelHidden
        help={words.quickNotesHelp}
        value={text}
        onChange={change}
        maxLength={200}
        isMultiline
        rows={2}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.ctrlKey || event.metaKey) return
          event.preventDefault()
          keep()
        }}
      />
      {add.error !== null && <Problem code={add.error.code} />}
    </section>
  )
}
