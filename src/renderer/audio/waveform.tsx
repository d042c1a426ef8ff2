import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type RefObject } from 'react'
import type { Gap, Mark } from '#contract/model/recording.ts'
import { bars, layGaps } from './peaks.ts'
import './waveform.css'

export interface WaveformProps {
  readonly label: string
  readonly peaks: readonly number[]
  readonly durationMs: number
  readonly peaksMs?: number
  readonly playedMs: number | null
  readonly gaps: readonly Gap[]
  readonly marks: readonly Mark[]
  readonly height: number
  /** Where to draw the bar at `ms`: 1 above the center line, 2 below it, 0 across it. */
  readonly laneAt?: ((ms: number) => 0 | 1 | 2) | undefined
  readonly valueText: string
  readonly onSeek?: (ms: number) => void
  readonly isLive?: boolean
}

const BAR_STEP = 5

export function Waveform(props: WaveformProps) {
  const { durationMs, onSeek, valueText, label, playedMs, height } = props
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const lane = layGaps(props.gaps, durationMs)
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
  const { peaks, durationMs, playedMs, gaps, marks, height, width, laneAt, isLive = false } = props
  const hatch = useId()
  const lane = layGaps(gaps, durationMs)
  if (width === 0) return null
  const count = Math.max(1, Math.floor(width / BAR_STEP))
  const peaksMs = props.peaksMs ?? durationMs
  const levels = bars(peaks, Math.max(1, Math.min(count, Math.ceil((count * peaksMs) / Math.max(1, durationMs)))))
  const top = marks.length > 0 || isLive ? 14 : 2
  const playedTo = playedMs === null ? durationMs : playedMs
  const paths = { coming: '', played: '', first: '', second: '' }
  for (let index = 0; index < count; index += 1) {
    const share = (index + 0.5) / count
    const ms = lane.msAt(share)
    const level =
      ms > peaksMs ? undefined : levels[Math.min(levels.length - 1, Math.floor((ms / Math.max(1, peaksMs)) * levels.length))]
    if (level === undefined || lane.places.some((place) => share > place.from && share < place.to)) continue
    const which = laneAt?.(ms) ?? 0
    const path = which === 0 ? (ms <= playedTo ? 'played' : 'coming') : which === 1 ? 'first' : 'second'
    paths[path] += bar(share * width, level, top, height, which)
  }
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
      {Object.entries(paths).map(([path, d]) => (
        <path key={path} d={d} className={`waveform-${path}`} />
      ))}
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
      {playedMs !== null && <Playhead x={lane.at(playedTo) * width} height={height} />}
      {isLive && (
        <line className="waveform-live" x1={lane.at(peaksMs) * width - 1} x2={lane.at(peaksMs) * width - 1} y1="0" y2={height} />
      )}
    </svg>
  )
}

function Flag({ x, width, height }: { readonly x: number; readonly width: number; readonly height: number }) {
  return (
    <>
      <line className="waveform-flag-line" x1={x} x2={x} y1="0" y2={height} />
      <path className="waveform-flag" d={x + 9 > width ? `M${x} 0h-9l3 4-3 4h9z` : `M${x} 0h9l-3 4 3 4h-9z`} />
    </>
  )
}

function Playhead({ x, height }: { readonly x: number; readonly height: number }) {
  const at = Math.max(4, x)
  return (
    <>
      <line className="waveform-head" x1={at} x2={at} y1="2" y2={height} />
      <circle className="waveform-head-dot" cx={at} cy="4" r="4" />
    </>
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
