import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useRef, type RefObject } from 'react'
import type { Gap } from '#contract/model/recording.ts'
import { transcriptWords as words } from '#renderer/strings/transcript.ts'
import { gapLength } from '../session-data.ts'
import { TurnRow } from './turn-row.tsx'
import type { TranscriptModel } from './use-turns.ts'

const WHOLE_UP_TO = 150

/** Does not render again for every step of playback. */
export const TurnList = memo(Turns, (before, after) => {
  const same = ['transcript', 'voices', 'label', 'shortLabel', 'gaps'] as const
  return (
    same.every((key) => before[key] === after[key]) &&
    before.turns.choice === after.turns.choice &&
    before.turns.editing === after.turns.editing &&
    before.player.isPlaying === after.player.isPlaying
  )
})

function Turns(props: TranscriptModel) {
  const { transcript, turns, gaps } = props
  const scroller = useRef<HTMLDivElement>(null)
  const { segments } = transcript
  const rows = useVirtualizer({
    count: segments.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 46,
    // Pixels for the speaker prompt below the selected turn.
    scrollPaddingEnd: 44,
    overscan: segments.length <= WHOLE_UP_TO ? WHOLE_UP_TO : 10,
    getItemKey: (index) => segments[index]?.id ?? index,
  })
  const { at } = turns.choice
  const { scrollToIndex } = rows
  useFollowChoice(at, scroller, scrollToIndex)
  return (
    <div className="turn-list" ref={scroller}>
      <ol className="turn-rows" aria-label={words.list} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const segment = segments[index]
          if (segment === undefined) return null
          return (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              data-chosen={index === at}
              className="turn-place"
              style={{ transform: `translateY(${start}px)` }}
            >
              {gapsBetween(segments[index - 1]?.start_ms ?? null, segment.start_ms, gaps).map((gap) => (
                <p key={gap.at_ms} className="turn-gap">
                  <span>{gapWords(gap)}</span>
                </p>
              ))}
              <TurnRow {...props} segment={segment} index={index} />
            </li>
          )
        })}
      </ol>
    </div>
  )
}

function useFollowChoice(
  at: number,
  scroller: RefObject<HTMLDivElement | null>,
  scrollToIndex: (index: number, options: { align: 'auto' }) => void,
): void {
  const isFirst = useRef(true)
  useEffect(() => {
    const isOpening = isFirst.current && at === 0
    isFirst.current = false
    if (isOpening) return
    scrollToIndex(at, { align: 'auto' })
    const active = document.activeElement
    const isFree = active === null || active === document.body || active.closest('.turn-list') !== null || active.matches('main')
    if (!isFree) return
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>('[data-chosen=true] .turn-body')?.focus({ preventScroll: true }),
    )
  }, [at, scroller, scrollToIndex])
}

function gapWords({ reason, duration_ms }: Gap): string {
  const say = reason === 'pause' ? words.gap : reason === 'damage' ? words.gapDamaged : words.gapBreak
  return say(gapLength(duration_ms))
}

function gapsBetween(before: number | null, start: number | null, gaps: readonly Gap[]): Gap[] {
  if (start === null) return []
  return gaps.filter((gap) => gap.at_ms > 0 && gap.at_ms <= start && gap.at_ms > (before ?? -1))
}
