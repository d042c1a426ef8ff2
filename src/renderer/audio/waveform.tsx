import { Fragment, useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type RefObject } from 'react'
import type { Gap, Mark } from '#contract/model/recording.ts'
import { bars, layGaps } from './peaks.ts'
import './waveform.css'
import { Pause, Play, RotateCcw } from 'lucide-react'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { transcriptWords as words } from '#renderer/strings/transcript.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { formatMoment, formatSpokenLength } from '#renderer/strings/time.ts'
import type { Player } from './use-player.ts'
import './player-bar.css'

export interface WaveformProps {
  readonly label: string
  readonly peaks: readonly number[]
  readonly durationMs: number
  /** Milliseconds that the peaks cover, if fewer than `durationMs`. */
  readonly peaksMs?: number
  readonly playedMs: number | null
  readonly gaps?: readonly Gap[]
  readonly marks?: readonly Mark[]
  readonly height: number
  /** Where to draw the bar of a moment: 1 above the line, 2 below it, 0 across it. Undefined draws no line. */
  readonly laneAt?: ((ms: number) => 0 | 1 | 2) | undefined
  readonly valueText: string
  readonly onSeek?: (ms: number) => void
  /** Draws the red line at the end of a running recording. */
  readonly isLive?: boolean
}

const BAR_STEP = 5

/**
 * Bars in the accent color are played (all bars, if `playedMs` is null), gray bars are not. With `laneAt`, bars beside the
 * line have the colors of the speakers. Hatching is a pause or a loss, flags are marks, dots are silence.
 */
export function Waveform(props: WaveformProps) {
  const { durationMs, onSeek, valueText, label, playedMs, height } = props
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const lane = layGaps(props.gaps ?? [], durationMs)
  const seekTo = (event: PointerEvent): void => {
    const rect = box.current?.getBoundingClientRect()
    if (rect === undefined || onSeek === undefined || rect.width === 0) return
    onSeek(lane.msAt(Math.max(0, Math.min(1, (event.clientX - rect.left) / rect.width))))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 5000, ArrowUp: 5000, ArrowLeft: -5000, ArrowDown: -5000, PageUp: 60_000, PageDown: -60_000 }[
      event.key
    ]
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? durationMs : step === undefined ? null : (playedMs ?? 0) + step
    if (to === null || onSeek === undefined) return
    event.preventDefault()
    onSeek(Math.max(0, Math.min(durationMs, to)))
  }
  const drawing = <Drawing {...props} width={width} />
  if (onSeek === undefined) {
    return (
      <div className="waveform" ref={box} role="img" aria-label={`${label}. ${valueText}`} style={{ height }}>
        {drawing}
      </div>
    )
  }
  return (
    <div
      className="waveform waveform-seekable"
      ref={box}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.round(durationMs / 1000)}
      aria-valuenow={Math.round((playedMs ?? 0) / 1000)}
      aria-valuetext={valueText}
      style={{ height }}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        seekTo(event)
      }}
      onPointerMove={(event) => {
        if (event.buttons === 1) seekTo(event)
      }}
    >
      {drawing}
    </div>
  )
}

function Drawing(props: WaveformProps & { readonly width: number }) {
  const { peaks, durationMs, playedMs, gaps = [], marks = [], height, width, laneAt, isLive = false } = props
  const hatch = useId()
  const lane = layGaps(gaps, durationMs)
  if (width === 0) return null
  const count = Math.max(1, Math.floor(width / BAR_STEP))
  const peaksMs = props.peaksMs ?? durationMs
  const levels = bars(peaks, Math.max(1, Math.min(count, Math.ceil((count * peaksMs) / Math.max(1, durationMs)))))
  const top = marks.length > 0 || isLive ? 14 : 2
  const playedTo = playedMs === null ? durationMs : playedMs
  const paths = { played: '', coming: '', first: '', second: '' }
  for (let index = 0; index < count; index += 1) {
    const share = (index + 0.5) / count
    const ms = lane.msAt(share)
    const level =
      ms > peaksMs ? undefined : levels[Math.min(levels.length - 1, Math.floor((ms / Math.max(1, peaksMs)) * levels.length))]
    if (level === undefined || lane.places.some((place) => share > place.from && share < place.to)) continue
    const which = laneAt?.(ms) ?? 0
    const part = bar(share * width, level, top, height, laneAt === undefined ? 0 : which)
    if (which === 1) paths.first += part
    else if (which === 2) paths.second += part
    else if (ms <= playedTo) paths.played += part
    else paths.coming += part
  }
  const at = lane.at(playedTo) * width
  return (
    <svg width={width} height={height} aria-hidden focusable="false">
      <defs>
        <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
          <line x1="0" y1="3" x2="6" y2="3" className="waveform-hatch-line" />
        </pattern>
      </defs>
      {laneAt !== undefined && (
        <line x1="0" x2={width} y1={middle(top, height)} y2={middle(top, height)} className="waveform-axis" />
      )}
      <path d={paths.coming} className="waveform-coming" />
      <path d={paths.played} className="waveform-played" />
      <path d={paths.first} className="waveform-first" />
      <path d={paths.second} className="waveform-second" />
      {lane.places.map((place) => (
        <rect
          key={place.gap.at_ms}
          x={place.from * width}
          width={(place.to - place.from) * width}
          y={top + 4}
          height={height - top - 8}
          fill={`url(#${hatch})`}
        />
      ))}
      {marks.map((mark) => (
        <Flag key={mark.id} x={lane.at(mark.at_ms) * width} width={width} height={height} />
      ))}
      {playedMs !== null && <Playhead x={at} height={height} />}
      {isLive && (
        <line className="waveform-live" x1={lane.at(peaksMs) * width - 1} x2={lane.at(peaksMs) * width - 1} y1="0" y2={height} />
      )}
    </svg>
  )
}

function Flag({ x, width, height }: { readonly x: number; readonly width: number; readonly height: number }) {
  return (
    <Fragment>
      <line className="waveform-flag-line" x1={x} x2={x} y1="0" y2={height} />
      <path className="waveform-flag" d={x + 9 > width ? `M${x} 0h-9l3 4-3 4h9z` : `M${x} 0h9l-3 4 3 4h-9z`} />
    </Fragment>
  )
}

function Playhead({ x, height }: { readonly x: number; readonly height: number }) {
  const at = Math.max(4, x)
  return (
    <Fragment>
      <line className="waveform-head" x1={at} x2={at} y1="2" y2={height} />
      <circle className="waveform-head-dot" cx={at} cy="4" r="4" />
    </Fragment>
  )
}

const middle = (top: number, height: number): number => top + (height - top) / 2

function bar(x: number, level: number, top: number, height: number, lane: 0 | 1 | 2): string {
  const room = (height - top - 4) / 2
  const centre = middle(top, height)
  const long = Math.max(1, Math.sqrt(Math.min(1, level)) * room)
  const left = (x - 1.25).toFixed(1)
  if (lane === 1) return `M${left} ${(centre - 2 - long).toFixed(1)}h2.5v${long.toFixed(1)}h-2.5z`
  if (lane === 2) return `M${left} ${(centre + 2).toFixed(1)}h2.5v${long.toFixed(1)}h-2.5z`
  return `M${left} ${(centre - long).toFixed(1)}h2.5v${(long * 2).toFixed(1)}h-2.5z`
}

function useWidth(box: RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)))
    observer.observe(element)
    setWidth(Math.floor(element.clientWidth))
    return () => observer.disconnect()
  }, [box])
  return width
}

const rates = [1, 1.2, 1.5, 2, 0.8]

interface PlayerBarProps {
  readonly player: Player
  readonly recordingId: string
  readonly gaps: readonly Gap[]
  readonly marks: readonly Mark[]
  readonly laneAt: ((ms: number) => 0 | 1 | 2) | undefined
}

export function PlayerBar({ player, recordingId, gaps, marks, laneAt }: PlayerBarProps) {
  const wave = useCall('recordings.waveform', { recording_id: recordingId, buckets: 600 })
  const total = wave.data?.duration_ms ?? 0
  const nextRate = rates[(rates.indexOf(player.rate) + 1) % rates.length] ?? 1
  return (
    <div className="player" role="group" aria-label={words.wave}>
      <IconButton
        label={player.isPlaying ? words.pause : words.play}
        icon={player.isPlaying ? Pause : Play}
        variant="filled"
        size="large"
        className="player-play"
        shortcut="Space"
        onPress={player.toggle}
      />
      <Waveform
        label={words.wave}
        peaks={wave.data?.peaks ?? []}
        durationMs={total}
        playedMs={player.ms}
        gaps={gaps}
        marks={marks}
        height={66}
        laneAt={laneAt}
        valueText={words.position({ at: formatSpokenLength(player.ms), total: formatSpokenLength(total) })}
        onSeek={player.seek}
      />
      <div className="player-end">
        <p className="player-time tabular">
          <strong>{formatMoment(player.ms)}</strong> {words.of} {formatMoment(total)}
        </p>
        <div className="player-buttons">
          <IconButton
            label={words.again}
            icon={RotateCcw}
            size="row"
            variant="outlined"
            shortcut="J"
            onPress={() => player.seek(player.ms - 5000)}
          />
          <Button size="row" aria-label={words.speedLabel({ rate: player.rate })} onPress={() => player.setRate(nextRate)}>
            {words.speed({ rate: player.rate })}
          </Button>
        </div>
      </div>
    </div>
  )
}

/** Has no caption track: where there is a transcript, it is the text alternative (WCAG 1.2.1). */
export function PlayerAudio({ player }: { readonly player: Player }) {
  if (player.source === null) return null
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- captions need a transcript, which is shown beside it if there is one
  return <audio ref={player.audio} src={player.source} preload="metadata" />
}
