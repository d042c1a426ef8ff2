import { AudioLines, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Voice } from '#contract/model/me.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { useAction, useCall, BridgeFailure, call } from '#renderer/bridge/use-bridge.ts'
import { voiceStrings as words } from '#renderer/strings/settings.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { formatFullDate } from '#renderer/strings/time.ts'
import { useToast } from '#renderer/ui/toast.tsx'
import type { ErrorCode } from '#contract/errors.ts'
import { recordVoice } from '#renderer/recorder/voice-sample.ts'
import { Group, Setting, useKnownSettings } from './setting.tsx'
import './voice.css'

export function VoiceGroup() {
  const settings = useKnownSettings()
  const answer = useCall('voices.get', {})
  const voice = answer.data
  const reading = useVoiceReading(settings.microphone_id, () => void answer.refetch())
  if (voice === undefined || voice === null) return null
  return (
    <Group title={words.group}>
      <Setting label={words.label} className="voice-setting">
        <div className="setting-words">
          <p className="setting-label">{words.label}</p>
          <p className="setting-text">{stateOf(voice)}</p>
          <p className="caption">{settings.service_address === null ? words.what.here : words.what.practice}</p>
          <p className="caption">{words.others}</p>
        </div>
        {reading.state === 'still' && <Actions voice={voice} reading={reading} onErased={() => void answer.refetch()} />}
      </Setting>
      {reading.state !== 'still' && <Reading reading={reading} />}
      <p className="visually-hidden" role="status">
        {reading.state === 'making' ? words.making : ''}
      </p>
      {reading.trouble === 'microphone' && <Notice tone="needs" title={words.failed} />}
      {reading.trouble !== null && reading.trouble !== 'microphone' && <Problem code={reading.trouble} />}
    </Group>
  )
}

function stateOf({ enrolled_at, usable, ready }: Voice): string {
  if (enrolled_at === null) return words.none
  const day = formatFullDate(enrolled_at)
  return usable || !ready ? words.kept({ day }) : words.outdated({ day })
}

type VoiceReading = ReturnType<typeof useVoiceReading>

function Actions({ voice, reading, onErased }: Readonly<{ voice: Voice; reading: VoiceReading; onErased: () => void }>) {
  const { state } = useRecorder()
  const toast = useToast()
  const remove = useAction('voices.remove', () => {
    toast({ text: words.erased })
    onErased()
  })
  const erase = (): void => remove.mutate({})
  const isRecording = state.phase !== 'idle' && state.phase !== 'trouble'
  const isOff = !voice.ready || isRecording
  return (
    <div className="voice-actions">
      <Button
        icon={AudioLines}
        isDisabled={isOff}
        reason={voice.ready ? words.busyRecorder : words.notReady}
        onPress={reading.start}
        label={voice.enrolled_at === null ? words.start : words.again}
      />
      {voice.enrolled_at !== null && (
        <Button variant="erasing" icon={Trash2} busy={remove.isPending && words.erasing} onPress={erase} label={words.erase} />
      )}
      {remove.error && <Problem code={remove.error.code} />}
    </div>
  )
}

function Reading({ reading }: { readonly reading: VoiceReading }) {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    panel.current?.scrollIntoView({ block: 'center' })
  }, [])
  const level = Math.min(100, Math.round(Math.sqrt(reading.peak) * 100))
  return (
    <div className="voice-reading" ref={panel}>
      <p className="setting-label">{words.readThis}</p>
      <p className="voice-paragraph">{words.paragraph}</p>
      <div
        className="voice-level"
        role="meter"
        aria-label={words.level}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={level}
      >
        <span style={{ inlineSize: `${level}%` }} />
      </div>
      <div className="voice-actions">
        <Button busy={reading.state === 'making' && words.making} onPress={reading.stop} autoFocus label={words.stop} />
        {reading.state === 'reading' && <span className="caption tabular">{words.left({ seconds: reading.left })}</span>}
      </div>
    </div>
  )
}

const READ_SECONDS = 15

function useVoiceReading(deviceId: string | null, onEnrolled: () => void) {
  const toast = useToast()
  const [state, setState] = useState<'still' | 'reading' | 'making'>('still')
  const [heard, setHeard] = useState({ left: READ_SECONDS, peak: 0 })
  const [trouble, setTrouble] = useState<ErrorCode | 'microphone' | null>(null)
  const under = useRef<AbortController | null>(null)
  useEffect(() => () => under.current?.abort(), [])

  const read = async (signal: AbortSignal): Promise<void> => {
    const onProgress = (seconds: number, peak: number): void =>
      setHeard((before) => ({
        left: Math.max(1, Math.ceil(READ_SECONDS - seconds)),
        peak: Math.max(peak, before.peak * 0.93),
      }))
    await call('app.openMicrophone', { purpose: 'voice' })
    const wav = await recordVoice(deviceId, READ_SECONDS, { onProgress }, signal)
    if (wav === null) return
    setState('making')
    try {
      await call('voices.enroll', { wav })
    } finally {
      wav.fill(0)
    }
    toast({ text: words.enrolled })
    onEnrolled()
  }
  const start = async (): Promise<void> => {
    const controller = new AbortController()
    under.current = controller
    setTrouble(null)
    setHeard({ left: READ_SECONDS, peak: 0 })
    setState('reading')
    try {
      await read(controller.signal)
    } catch (error) {
      setTrouble(error instanceof BridgeFailure ? error.code : 'microphone')
    } finally {
      setState('still')
    }
  }
  return { state, ...heard, trouble, start: () => void start(), stop: () => under.current?.abort() }
}
