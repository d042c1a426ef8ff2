import { AppWindow, Ban, Check, LifeBuoy, ShieldOff } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Recording } from '#contract/model/recording.ts'
import { planOf } from '#domain/note-review.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { call, useAction, useAttempt, useBridgeEvent, useCall } from '#renderer/bridge/use-bridge.ts'
import { useSaving } from '#renderer/lib/recording-sign.tsx'
import { navigate, sessionPath } from '#renderer/lib/routes.ts'
import { thisWindow } from '#renderer/recorder/window-memory.ts'
import { isUnreadable, unreadableMs } from '#renderer/sessions/damage.ts'
import { DamagedSound } from '#renderer/sessions/damaged-sound.tsx'
import { isOff, sessionStatus } from '#renderer/sessions/session-status.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { formatDate, formatLength } from '#renderer/strings/time.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { SessionSound, TitledSection } from '../parts.tsx'
import { isRunning, useAudioOutcome, useSession } from '../session-data.ts'
import { BeforeRecording } from './before-recording.tsx'
import { ConsentGate } from './consent-gate.tsx'
import { EndDialog } from './end-dialog.tsx'
import { RecordingNow, RecordingTrouble } from './recording-now.tsx'
import { SoFar } from './so-far.tsx'
import './record.css'
import './before-recording.css'

const before = sessionWords.before
const now = sessionWords.now
const elsewhere = sessionWords.elsewhere
const interrupted = sessionWords.interrupted

export function RecordTab() {
  const { id, recording } = useSession()
  const { state } = useRecorder()
  const active = useCall('recordings.active', {}).data ?? null
  const isOpen = isRunning(recording)
  const isElsewhere =
    state.phase === 'idle' && isOpen && active?.recording.id === recording?.id && active?.window_id !== thisWindow()
  const isHere = state.recording?.session_id === id && state.phase !== 'idle'
  const running = isHere || (isOpen && !isElsewhere) ? recording : null
  return (
    <div className="record">
      <div className="record-work" data-region>
        {running !== null ? (
          <RecordingNow recording={running} />
        ) : (
          <NotRecording isElsewhere={isElsewhere} active={active?.recording} />
        )}
      </div>
      <aside className="record-aside" data-region>
        {running !== null && <QuickNotes recording={running} />}
        <LastTime />
      </aside>
    </div>
  )
}

function NotRecording({ isElsewhere, active }: { readonly isElsewhere: boolean; readonly active: Recording | undefined }) {
  const { row, recording } = useSession()
  const { sentence } = useAudioOutcome()
  const { state } = useRecorder()
  if (isElsewhere && recording !== null) return <RecordedElsewhere recording={recording} />
  if (recording?.state === 'finished') return <Recorded recording={recording} />
  if (recording?.state === 'interrupted') return <Interrupted recording={recording} />
  if (isOff(row)) return <Notice icon={Ban} title={sessionStatus(row).chip?.text} text={row.cancellation?.reason ?? before.off} />
  if (active !== undefined && active.session_id !== row.session.id) {
    return (
      <Notice
        tone="needs"
        title={before.otherActive}
        actions={<Button onPress={() => navigate(sessionPath(active.session_id))} label={before.openActive} />}
      />
    )
  }
  return (
    <div className="record-before">
      {recording?.state === 'erased' && (
        <Notice icon={ShieldOff} title={sentence}>
          {before.erasedHelp}
        </Notice>
      )}
      {state.error !== null && <RecordingTrouble onGoOn={null} />}
      {row.consent.granted.includes('record') ? <BeforeRecording /> : <ConsentGate />}
    </div>
  )
}

function Recorded({ recording }: { readonly recording: Recording }) {
  const { id, row } = useSession()
  const { plan, sentence } = useAudioOutcome()
  return (
    <div className="record-before">
      <DamagedSound recording={recording} row={row} />
      <Notice
        tone="kept"
        icon={Check}
        title={before.ended}
        actions={<Button variant="filled" onPress={() => navigate(sessionPath(id, 'transcript'))} label={before.toTranscript} />}
      >
        {before.endedHelp}
        {plan?.outcome !== 'kept' && <p>{sentence}</p>}
      </Notice>
      <SessionSound />
      <SoFar recording={recording} isRunning={false} />
    </div>
  )
}

function LastTime() {
  const { session } = useSession().row
  const rows = useCall('sessions.list', { client_id: session.client_id, to: session.starts_at })
  const last = (rows.data ?? [])
    .filter((row) => row.session.id !== session.id && row.note !== null && row.session.starts_at < session.starts_at)
    .toSorted((a, b) => b.session.starts_at.localeCompare(a.session.starts_at))[0]
  const note = useCall('notes.get', { session_id: last?.session.id ?? session.id }, { enabled: last !== undefined })
  const plan = note.data?.note ? planOf(note.data.note) : []
  if (last === undefined || plan.length === 0) return null
  return (
    <section className="last-time" aria-labelledby="last-time-title">
      <div className="last-time-head">
        <h2 id="last-time-title" className="session-aside-title">
          {now.lastTime}
        </h2>
        <span className="caption">{formatDate(last.session.starts_at)}</span>
      </div>
      {plan.slice(0, 4).map((statement) => (
        <p key={statement.id}>{statement.text}</p>
      ))}
    </section>
  )
}

function RecordedElsewhere({ recording }: { readonly recording: Recording }) {
  const saving = useSaving()
  const [saved, setSaved] = useState(0)
  const [isEnding, setEnding] = useState(false)
  useBridgeEvent('recording.saved', (record) => {
    if (record.recording_id === recording.id) setSaved(record.saved_ms)
  })
  const silentMs = recording.state !== 'paused' && saving.kind === 'silent' ? saving.ms : null
  const openTitle = recording.state === 'paused' ? elsewhere.paused : elsewhere.title
  return (
    <div className="record-before">
      <Notice
        tone={silentMs === null ? 'kept' : 'needs'}
        icon={AppWindow}
        title={silentMs === null ? openTitle : elsewhere.silent({ length: formatLength(silentMs) })}
        actions={<Button onPress={() => setEnding(true)} label={now.end} />}
      >
        {elsewhere.saved({ length: formatLength(Math.max(saved, recording.saved_ms)) })}{' '}
        {silentMs === null ? elsewhere.controls : elsewhere.check}
      </Notice>
      <SoFar recording={recording} isRunning={false} />
      <EndDialog recording={recording} isOpen={isEnding} onClose={() => setEnding(false)} />
    </div>
  )
}

function Interrupted({ recording }: { readonly recording: Recording }) {
  const { row } = useSession()
  const { recorder, state } = useRecorder()
  const { error, attempt } = useAttempt<'finish' | 'resume'>()
  const isLost = isUnreadable(recording)
  const finish = () => void attempt('finish', () => call('recordings.finish', { recording_id: recording.id }))
  const resume = () => void attempt('resume', () => recorder.takeUp(recording.id, 'interruption'))
  return (
    <div className="record-before">
      <Notice
        tone="needs"
        icon={LifeBuoy}
        title={interrupted.title}
        actions={
          <>
            <Button onPress={finish} label={isLost ? interrupted.finishWithout : interrupted.finish} />
            {row.consent.granted.includes('record') && (
              <Button
                busy={state.phase === 'starting' ? before.starting : undefined}
                onPress={resume}
                label={interrupted.resume}
              />
            )}
          </>
        }
      >
        {isLost ? null : interrupted.help({ length: formatLength(recording.saved_ms - unreadableMs(recording)) })}
      </Notice>
      <DamagedSound recording={recording} row={row} />
      {error !== null && <Problem code={error} />}
      <SessionSound />
      <SoFar recording={recording} isRunning={false} />
    </div>
  )
}

/** A note gets the time of its first letter, because the topic came up then. */
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
    <TitledSection className="quick-notes" look="session-aside" title={now.quickNotes}>
      <TextField
        label={now.quickNotesField}
        isLabelHidden
        help={now.quickNotesHelp}
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
    </TitledSection>
  )
}
