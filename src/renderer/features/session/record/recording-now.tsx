import { CloudOff, Flag, Mic, MicOff, Pause, Play, Square, Ellipsis, Check, Volume2 } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import type { Recording } from '#contract/model/recording.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { UNSAVED_MS } from '#renderer/bridge/saving-watch.ts'
import { useBridgeEvent, useCall } from '#renderer/bridge/use-bridge.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Menu } from '#renderer/ui/menu.tsx'
import { formatClock, formatMoment, formatSpokenLength, formatTimer } from '#renderer/strings/time.ts'
import type { SessionData } from '../session-data.ts'
import { useShortcuts } from '../shortcuts.ts'
import { Waveform } from '#renderer/audio/waveform.tsx'
import { EndDialog, DiscardDialog } from './end-dialog.tsx'
import { Level } from './before-recording.tsx'
import { RecordingTrouble } from './recording-trouble.tsx'
import { SoFar, useMarking } from './so-far.tsx'
import { addPeak, emptyTrace, traceFrom, type Trace } from '#renderer/audio/peaks.ts'

const words = sessionWords.now

interface NowProps {
  readonly data: SessionData
  readonly recording: Recording
}

/** Pause never changes position, so that the therapist can find it while looking at the client. */
export function RecordingNow({ data, recording }: NowProps) {
  const { recorder, state } = useRecorder()
  const [open, setOpen] = useState<'end' | 'discard' | null>(null)
  const [announced, setAnnounced] = useState('')
  const isIdlePaused = state.phase === 'idle' && recording.state === 'paused'
  const isPaused = state.phase === 'paused' || state.phase === 'trouble' || isIdlePaused
  const pauseOrGoOn = (): void => void (isPaused ? recorder.resume() : recorder.pause())
  const { mark, field } = useMarking(recording, state.captured_ms)
  useShortcuts(
    {
      p: pauseOrGoOn,
      m: mark,
      s: () => setAnnounced(words.saved({ time: formatSpokenLength(state.saved_ms) })),
      'Mod+Enter': () => setOpen('end'),
    },
    data.settings.single_key_shortcuts,
  )
  return (
    <>
      <Times recording={recording} />
      <RecordingTrouble onGoOn={pauseOrGoOn} />
      <LiveWave recording={recording} />
      <div className="record-controls" role="group" aria-label={sessionWords.tabs.record}>
        <Button
          variant="filled"
          size="large"
          className="record-pause"
          icon={isPaused ? Play : Pause}
          shortcut="P"
          isDisabled={state.phase === 'starting' || state.phase === 'finishing'}
          onPress={pauseOrGoOn}
        >
          {isPaused ? words.goOn : words.pause}
        </Button>
        <Button size="large" icon={Flag} shortcut="M" onPress={mark}>
          {words.mark}
        </Button>
        <span className="record-controls-space" />
        <EndButton onPress={() => setOpen('end')} />
        <Menu
          label={words.more}
          trigger={<IconButton label={words.more} icon={Ellipsis} size="large" variant="outlined" />}
          entries={[{ id: 'discard', label: words.discard, isErasing: true, onAction: () => setOpen('discard') }]}
        />
      </div>
      {field}
      <SoFar recording={recording} isRunning isPaused={isPaused} savedMs={state.saved_ms} />
      <p className="visually-hidden" role="status">
        {announced}
      </p>
      <EndDialog data={data} recording={recording} isOpen={open === 'end'} onClose={() => setOpen(null)} />
      <DiscardDialog data={data} recording={recording} isOpen={open === 'discard'} onClose={() => setOpen(null)} />
    </>
  )
}

function EndButton({ onPress }: { readonly onPress: () => void }) {
  const { state } = useRecorder()
  return (
    <Button size="large" icon={Square} busy={state.phase === 'finishing' ? sessionWords.end.ending : undefined} onPress={onPress}>
      {words.end}
    </Button>
  )
}

function Times({ recording }: { readonly recording: Recording }) {
  const { state } = useRecorder()
  // Until this window's recorder has attached, only the core knows how much is saved.
  const savedMs = state.recording === null ? recording.saved_ms : state.saved_ms
  const capturedMs = Math.max(savedMs, state.captured_ms)
  const unsavedMs = capturedMs - savedMs
  return (
    <div className="record-times">
      <div>
        <p className="record-timer tabular" aria-label={words.elapsed} role="timer" aria-live="off">
          {formatTimer(capturedMs)}
        </p>
        <p className="record-saved">
          {savedMs === 0 ? (
            <span className="muted">{words.notYet}</span>
          ) : (
            <>
              <Check aria-hidden />
              <strong className="tabular">{words.saved({ time: formatTimer(savedMs) })}</strong>
              <span className="record-saved-help">{words.savedHelp}</span>
            </>
          )}
        </p>
        {unsavedMs >= UNSAVED_MS && state.phase !== 'idle' && (
          <p className="record-behind">
            <CloudOff aria-hidden />
            {words.behind({ seconds: Math.round(unsavedMs / 1000) })}
          </p>
        )}
      </div>
      <Hearing />
    </div>
  )
}

function Hearing() {
  const { state } = useRecorder()
  const device = state.device_label || state.recording?.device_label || sessionWords.before.microphone
  if (state.phase !== 'recording') {
    return (
      <HearingBox icon={<MicOff aria-hidden />} line={device} caption={sessionWords.statePaused}>
        <Level peak={0} />
      </HearingBox>
    )
  }
  if (state.silent_since_ms !== null) {
    return (
      <HearingBox
        isWarning
        icon={<MicOff aria-hidden />}
        line={words.silent({ time: silentSince(state.silent_since_ms, state.captured_ms) })}
        caption={words.silentHelp}
      >
        <Level peak={state.peak} />
      </HearingBox>
    )
  }
  if (state.clipping) {
    return (
      <HearingBox isWarning icon={<Volume2 aria-hidden />} line={device} caption={words.clipping}>
        <Level peak={state.peak} />
      </HearingBox>
    )
  }
  return (
    <HearingBox icon={<Mic aria-hidden />} line={device} caption={words.level}>
      <Level peak={state.peak} />
    </HearingBox>
  )
}

interface HearingBoxProps {
  readonly icon: ReactNode
  readonly line: string
  readonly caption: string
  readonly isWarning?: boolean
  readonly children: ReactNode
}

function HearingBox({ icon, line, caption, isWarning = false, children }: HearingBoxProps) {
  return (
    <div className={isWarning ? 'hearing hearing-warning' : 'hearing'} role={isWarning ? 'status' : undefined}>
      <p className="hearing-line">
        {icon}
        <span title={line}>{line}</span>
      </p>
      {children}
      <p className="caption">{caption}</p>
    </div>
  )
}

/** The time of day at a position on the audio clock. */
function silentSince(silentMs: number, capturedMs: number): string {
  const ago = Math.max(0, capturedMs - silentMs)
  return formatClock(new Date(Date.now() - ago))
}

/** For two minutes the waveform has a fixed scale. After that it is compressed to fit. */
const MIN_SPAN_MS = 120_000

function LiveWave({ recording }: { readonly recording: Recording }) {
  const { state } = useRecorder()
  const trace = useTrace(recording.id)
  const durationMs = Math.max(state.saved_ms, recording.saved_ms, trace.peaks.length * trace.step_ms)
  const spanMs = Math.max(durationMs, MIN_SPAN_MS)
  return (
    <div className="record-wave">
      <Waveform
        label={words.waveform}
        peaks={trace.peaks}
        durationMs={spanMs}
        peaksMs={durationMs}
        playedMs={null}
        gaps={recording.gaps}
        marks={recording.marks}
        height={108}
        valueText={formatSpokenLength(durationMs)}
        isLive
      />
      <p className="record-wave-scale caption tabular">
        <span>{formatMoment(0)}</span>
        {spanMs > durationMs && <span>{formatMoment(spanMs)}</span>}
        {spanMs === durationMs && <span className="record-wave-now">{words.now}</span>}
      </p>
    </div>
  )
}

function useTrace(recordingId: string): Trace {
  const before = useCall('recordings.waveform', { recording_id: recordingId, buckets: 400 })
  const [trace, setTrace] = useState<Trace>(emptyTrace)
  const begunWith = useRef<unknown>(null)
  if (before.data !== undefined && begunWith.current !== before.data) {
    begunWith.current = before.data
    setTrace(traceFrom(before.data.peaks, before.data.duration_ms))
  }
  useBridgeEvent('recording.saved', (saved) => {
    if (saved.recording_id === recordingId) setTrace((old) => addPeak(old, saved.saved_ms, saved.peak))
  })
  return trace
}
