import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useRef, type RefObject } from 'react'
import type { Gap } from '#contract/model/recording.ts'
import type { Segment, Transcript } from '#contract/model/transcript.ts'
import { transcriptWords as words } from '#renderer/strings/transcript.ts'
import type { Autosave } from '../autosave.ts'
import { gapLength } from '../session-data.ts'
import type { Player } from '#renderer/audio/use-player.ts'
import type { Voice } from './speakers.ts'
import { soundingLike, chosenRange } from './speakers.ts'
import { TurnRow } from './turn-row.tsx'
import { correctTurn } from './unclear.ts'
import type { Turns as TurnsModel, Regroup } from './use-turns.ts'

interface TurnListProps {
  readonly transcript: Transcript
  readonly turns: TurnsModel
  readonly voices: readonly Voice[]
  readonly label: (voice: Voice) => string
  readonly shortLabel: (voice: Voice) => string
  readonly autosave: Autosave<Transcript>
  readonly regroup: Regroup
  readonly player: Player
  readonly gaps: readonly Gap[]
}

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

function Turns(props: TurnListProps) {
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
        {rows.getVirtualItems().map((item) => {
          const segment = segments[item.index]
          if (segment === undefined) return null
          return (
            <li
              key={item.key}
              ref={rows.measureElement}
              data-index={item.index}
              data-chosen={item.index === at}
              className="turn-place"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {gapsBetween(segments[item.index - 1]?.start_ms ?? null, segment.start_ms, gaps).map((gap) => (
                <p key={gap.at_ms} className="turn-gap">
                  <span>{gapWords(gap)}</span>
                </p>
              ))}
              <Turn {...props} segment={segment} index={item.index} />
            </li>
          )
        })}
      </ol>
    </div>
  )
}

function Turn({ segment, index, ...list }: TurnListProps & { readonly segment: Segment; readonly index: number }) {
  const { transcript, turns, voices, label, shortLabel, autosave, regroup, player } = list
  const { from, to } = chosenRange(turns.choice)
  return (
    <TurnRow
      transcript={transcript}
      segment={segment}
      number={index + 1}
      isCurrent={index === turns.choice.at}
      isChosen={index >= from && index <= to}
      isEditing={turns.editing === segment.id}
      voices={voices}
      label={label}
      shortLabel={shortLabel}
      onPlay={() => {
        turns.choose(index)
        if (segment.start_ms !== null) player.playFrom(segment.start_ms)
      }}
      onVoice={(voice) => turns.giveOne(segment.id, voice)}
      onAlike={(voice) => void regroup.give(soundingLike(transcript, segment.id), voice)}
      onWholeVoice={(voice) => segment.speaker_id !== null && regroup.merge(segment.speaker_id, voice)}
      onEdit={() => {
        turns.choose(index)
        turns.edit(segment.id)
      }}
      onEdited={(text) => {
        if (text !== null) autosave.change((record) => correctTurn(record, segment.id, text))
        turns.edit(null)
      }}
    />
  )
}

/** Scrolls to the selected turn and focuses it, unless a control outside the list has the focus. */
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
  return say({ length: gapLength(duration_ms) })
}

function gapsBetween(before: number | null, start: number | null, gaps: readonly Gap[]): Gap[] {
  if (start === null) return []
  return gaps.filter((gap) => gap.at_ms > 0 && gap.at_ms <= start && gap.at_ms > (before ?? -1))
}
