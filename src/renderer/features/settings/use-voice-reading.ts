import { useEffect, useRef, useState } from 'react'
import type { ErrorCode } from '#contract/errors.ts'
import { BridgeFailure, call } from '#renderer/bridge/use-bridge.ts'
import { recordVoice } from '#renderer/recorder/voice-sample.ts'
import { voiceStrings as words } from '#renderer/strings/voice.ts'
import { useToast } from '#renderer/ui/toast.tsx'

const readSeconds = 15

export interface VoiceReading {
  readonly state: 'still' | 'reading' | 'making'
  /** Whole seconds. */
  readonly left: number
  readonly peak: number
  readonly trouble: ErrorCode | 'microphone' | null
  start(): void
  stop(): void
}

/** Fifteen seconds of reading, then its numbers are made and the sound is forgotten. Leaving the page stops it. */
export function useVoiceReading(deviceId: string | null, onEnrolled: () => void): VoiceReading {
  const toast = useToast()
  const [state, setState] = useState<VoiceReading['state']>('still')
  const [heard, setHeard] = useState({ left: readSeconds, peak: 0 })
  const [trouble, setTrouble] = useState<VoiceReading['trouble']>(null)
  const under = useRef<AbortController | null>(null)
  useEffect(() => () => under.current?.abort(), [])

  const read = async (signal: AbortSignal): Promise<void> => {
    const onProgress = (seconds: number, peak: number): void =>
      setHeard((before) => ({
        left: Math.max(1, Math.ceil(readSeconds - seconds)),
        // Falls slowly, so that it can be read.
        peak: Math.max(peak, before.peak * 0.93),
      }))
    await call('app.openMicrophone', { purpose: 'voice' })
    const wav = await recordVoice(deviceId, readSeconds, { onProgress }, signal)
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
    setHeard({ left: readSeconds, peak: 0 })
    setState('reading')
    try {
      await read(controller.signal)
    } catch (error) {
      setTrouble(error instanceof BridgeFailure ? error.code : 'microphone')
    } finally {
      setState('still')
    }
  }
  return {
    state,
    ...heard,
    trouble,
    start: () => void start(),
    stop: () => under.current?.abort(),
  }
}
