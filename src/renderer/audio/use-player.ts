import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { recordingPath } from '#contract/bridge/library.ts'

export interface Player {
  readonly audio: RefObject<HTMLAudioElement | null>
  readonly source: string | null
  readonly isPlaying: boolean
  readonly ms: number
  readonly rate: number
  readonly hasFailed: boolean
  toggle(): void
  pause(): void
  seek(ms: number): void
  playFrom(ms: number, endMs?: number | null): void
  setRate(rate: number): void
}

export function usePlayer(recordingId: string | null): Player {
  const audio = useRef<HTMLAudioElement>(null)
  const stopAt = useRef<number | null>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [ms, setMs] = useState(0)
  const [rate, setRateState] = useState(1)
  const [hasFailed, setFailed] = useState(false)

  useFollowing(audio, recordingId, stopAt, { setMs, setPlaying, setFailed })

  const seek = useCallback((to: number) => {
    stopAt.current = null
    if (audio.current !== null) audio.current.currentTime = Math.max(0, to) / 1000
    setMs(Math.max(0, to))
  }, [])
  const playFrom = useCallback(
    (from: number, endMs: number | null = null) => {
      const element = audio.current
      if (element === null) return
      seek(from)
      stopAt.current = endMs
      setFailed(false)
      element.play().catch(() => setFailed(element.error !== null))
    },
    [seek],
  )
  const pause = useCallback(() => audio.current?.pause(), [])
  const toggle = useCallback(() => {
    const element = audio.current
    if (element === null) return
    stopAt.current = null
    if (element.paused) element.play().catch(() => setFailed(element.error !== null))
    else element.pause()
  }, [])
  const setRate = useCallback((next: number) => {
    if (audio.current !== null) audio.current.playbackRate = next
    setRateState(next)
  }, [])
  const source = recordingId === null ? null : recordingPath(recordingId)
  return useMemo(
    () => ({ audio, source, isPlaying, ms, rate, hasFailed, toggle, pause, seek, playFrom, setRate }),
    [source, isPlaying, ms, rate, hasFailed, toggle, pause, seek, playFrom, setRate],
  )
}

interface Setters {
  readonly setMs: (ms: number) => void
  readonly setPlaying: (isPlaying: boolean) => void
  readonly setFailed: (hasFailed: boolean) => void
}

function useFollowing(
  audio: RefObject<HTMLAudioElement | null>,
  recordingId: string | null,
  stopAt: RefObject<number | null>,
  { setMs, setPlaying, setFailed }: Setters,
): void {
  useEffect(() => {
    const element = audio.current
    if (element === null) return undefined
    let frame = 0
    const follow = (): void => {
      const now = element.currentTime * 1000
      if (stopAt.current !== null && now >= stopAt.current) {
        stopAt.current = null
        element.pause()
      }
      setMs(Math.round(now / 50) * 50)
      if (!element.paused) frame = requestAnimationFrame(follow)
    }
    const onPlay = (): void => {
      setPlaying(true)
      frame = requestAnimationFrame(follow)
    }
    const onPause = (): void => setPlaying(false)
    const onError = (): void => {
      setPlaying(false)
      setFailed(true)
    }
    const events = [
      ['play', onPlay],
      ['pause', onPause],
      ['ended', onPause],
      ['error', onError],
    ] as const
    for (const [name, listener] of events) element.addEventListener(name, listener)
    return () => {
      cancelAnimationFrame(frame)
      for (const [name, listener] of events) element.removeEventListener(name, listener)
      element.pause()
    }
  }, [audio, recordingId, stopAt, setMs, setPlaying, setFailed])
}
