import {
  Check,
  CloudOff,
  Ellipsis,
  Flag,
  HardDrive,
  LockKeyhole,
  Mic,
  MicOff,
  Pause,
  Play,
  RefreshCw,
  Square,
  TriangleAlert,
  Volume2,
  type LucideIcon,
} from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Recording } from '#contract/model/recording.ts'
import { addPeak, emptyTrace, traceFrom, type Trace } from '#renderer/audio/peaks.ts'
import { Waveform } from '#renderer/audio/waveform.tsx'
import { bridge } from '#renderer/bridge/bridge.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { UNSAVED_MS } from '#renderer/bridge/saving-watch.ts'
import { useBridgeEvent, useCall } from '#renderer/bridge/use-bridge.ts'
import { isCutOff, troubleKind, type RecorderState, type TroubleKind } from '#renderer/recorder/recorder-state.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { formatClock, formatMoment, formatSpokenLength, formatTimer } from '#renderer/strings/time.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Menu } from '#renderer/ui/menu.tsx'
import { Notice } from '#renderer/ui/page.tsx'
import { IconText } from '../parts.tsx'
import { useSession } from '../session-data.ts'
import { useShortcuts } from '#renderer/lib/shortcuts.ts'
import { Level } from './before-recording.tsx'
import { DiscardDialog, EndDialog } from './end-dialog.tsx'
import { SoFar, useMarking } from './so-far.tsx'

const words = sessionWords.now

export function RecordingNow({ recording }: { readonly recording: Recording }) {
  const { settings } = useSession()
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
    settings.single_key_shortcuts,
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
          label={isPaused ? words.goOn : words.pause}
        />
        <Button size="large" icon={Flag} shortcut="M" onPress={mark} label={words.mark} />
        <span className="record-controls-space" />
        <Button
          size="large"
          icon={Square}
          busy={state.phase === 'finishing' ? sessionWords.end.ending : undefined}
          onPress={() => setOpen('end')}
          label={words.end}
        />
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
      <EndDialog recording={recording} isOpen={open === 'end'} onClose={() => setOpen(null)} />
      <DiscardDialog recording={recording} isOpen={open === 'discard'} onClose={() => setOpen(null)} />
    </>
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
          <IconText className="record-behind" icon={CloudOff} text={words.behind({ seconds: Math.round(unsavedMs / 1000) })} />
        )}
      </div>
      <Hearing />
    </div>
  )
}

interface Heard {
  readonly icon: LucideIcon
  readonly line: string
  readonly caption: string
  readonly isWarning?: boolean
}

function heardIn(state: RecorderState): Heard {
  const device = state.device_label || state.recording?.device_label || sessionWords.before.microphone
  if (state.phase !== 'recording') return { icon: MicOff, line: device, caption: sessionWords.statePaused }
  if (state.silent_since_ms !== null) {
    const since = new Date(Date.now() - Math.max(0, state.captured_ms - state.silent_since_ms))
    return { icon: MicOff, line: words.silent({ time: formatClock(since) }), caption: words.silentHelp, isWarning: true }
  }
  if (state.clipping) return { icon: Volume2, line: device, caption: words.clipping, isWarning: true }
  return { icon: Mic, line: device, caption: words.level }
}

function Hearing() {
  const { state } = useRecorder()
  const { icon: Icon, line, caption, isWarning } = heardIn(state)
  return (
    <div className={isWarning ? 'hearing hearing-warning' : 'hearing'} role={isWarning ? 'status' : undefined}>
      <p className="hearing-line">
        <Icon aria-hidden />
        <span title={line}>{line}</span>
      </p>
      <Level peak={state.phase === 'recording' ? state.peak : 0} />
      <p className="caption">{caption}</p>
    </div>
  )
}

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

const troubleWords = sessionWords.trouble

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
  const { title, help } = isCutOff(kind, state.recording !== null) ? troubleWords.cutOff[kind] : troubleWords[kind]
  const isLoss = kind === 'disk-full' || kind === 'microphone-lost' || kind === 'other'
  return (
    <Notice
      tone={isLoss ? 'stopped' : 'needs'}
      icon={icons[kind]}
      title={title}
      actions={onGoOn !== null && isLoss ? <Button size="row" onPress={onGoOn} label={troubleWords.goOn} /> : undefined}
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
