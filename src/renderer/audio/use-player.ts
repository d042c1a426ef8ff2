import { useEffect, useRef, useState, type RefObject } from 'react'
import { recordingPath } from '#contract/bridge/library.ts'

export type Player = ReturnType<typeof usePlayer>

export function usePlayer(recordingId: string | null) {
  const audio = useRef<HTMLAudioElement>(null)
  const stopAt = useRef<number | null>(null)
  const [rate, setRate] = useState(1)
  const { isPlaying, ms, setMs, hasFailed, setFailed } = useFollowing(audio, stopAt, recordingId)
  const play = (element: HTMLAudioElement) => element.play().catch(() => setFailed(element.error !== null))
  const seek = (to: number): void => {
    stopAt.current = null
    if (audio.current !== null) audio.current.currentTime = Math.max(0, to) / 1000
    setMs(Math.max(0, to))
  }
  return {
    audio,
    source: recordingId === null ? null : recordingPath(recordingId),
    isPlaying,
    ms,
    rate,
    hasFailed,
    seek,
    pause: () => audio.current?.pause(),
    toggle: () => {
      const element = audio.current
      if (element === null) return
      stopAt.current = null
      if (element.paused) void play(element)
      else element.pause()
    },
    playFrom: (from: number, endMs: number | null = null) => {
      const element = audio.current
      if (element === null) return
      seek(from)
      stopAt.current = endMs
      setFailed(false)
      void play(element)
    },
    setRate: (next: number) => {
      if (audio.current !== null) audio.current.playbackRate = next
      setRate(next)
    },
  }
}

function useFollowing(audio: RefObject<HTMLAudioElement | null>, stopAt: RefObject<number | null>, recordingId: string | null) {
  const [isPlaying, setPlaying] = useState(false)
  const [ms, setMs] = useState(0)
  const [hasFailed, setFailed] = useState(false)
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
    const ended = new AbortController()
    const { signal } = ended
    element.addEventListener('play', onPlay, { signal })
    element.addEventListener('pause', onPause, { signal })
    element.addEventListener('ended', onPause, { signal })
    element.addEventListener('error', onError, { signal })
    return () => {
      ended.abort()
      cancelAnimationFrame(frame)
      element.pause()
    }
  }, [audio, recordingId, stopAt])
  return { isPlaying, ms, setMs, hasFailed, setFailed }
}
