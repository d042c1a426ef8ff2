import { useVirtualizer } from '@tanstack/react-virtual'
import { CircleHelp, Pencil, UserRoundPen } from 'lucide-react'
import { memo, useEffect, useRef, type RefObject } from 'react'
import type { Gap } from '#contract/model/recording.ts'
import type { Segment } from '#contract/model/transcript.ts'
import { formatMoment } from '#renderer/strings/time.ts'
import { transcriptWords as words } from '#renderer/strings/transcript.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Menu } from '#renderer/ui/menu.tsx'
import { Spoken } from '#renderer/ui/spoken.tsx'
import { IconText, LinesEditor } from '../parts.tsx'
import { gapLength } from '../session-data.ts'
import { onEnter } from '#renderer/lib/shortcuts.ts'
import { chosenRange, knownSpeakerOf, soundingLike, speakerTone, type Voice } from './speakers.ts'
import { correctTurn, textParts, unclearWords } from './unclear.ts'
import type { TranscriptModel } from './use-turns.ts'

const WHOLE_UP_TO = 150

/** Memoized, so that playback steps don't render the list again. */
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
  return say({ length: gapLength(duration_ms) })
}

function gapsBetween(before: number | null, start: number | null, gaps: readonly Gap[]): Gap[] {
  if (start === null) return []
  return gaps.filter((gap) => gap.at_ms > 0 && gap.at_ms <= start && gap.at_ms > (before ?? -1))
}

type RowProps = TranscriptModel & { readonly segment: Segment; readonly index: number }

function TurnRow(props: RowProps) {
  const { transcript, segment, index, turns, autosave, label } = props
  const { from, to } = chosenRange(turns.choice)
  const isCurrent = index === turns.choice.at
  const isEditing = turns.editing === segment.id
  const speaker = knownSpeakerOf(transcript, segment)
  const who = speaker === undefined ? words.unknownVoice : label(speaker)
  const time = segment.start_ms === null ? '' : formatMoment(segment.start_ms)
  const edit = (): void => {
    turns.choose(index)
    turns.edit(segment.id)
  }
  const onEdited = (text: string | null): void => {
    const typed = text?.trim() ?? ''
    if (typed !== '') autosave.change((record) => correctTurn(record, segment.id, typed))
    turns.edit(null)
  }
  return (
    <div className={`turn${index >= from && index <= to ? ' turn-chosen' : ''}${isCurrent ? ' turn-current' : ''}`}>
      {isEditing ? (
        <div className="turn-editor">
          <span className="turn-time tabular">{time}</span>
          <span className="turn-who">{who}</span>
          <LinesEditor
            className="turn-editor-field"
            text={segment.text}
            label={`${words.correct}, ${who}, ${time}`}
            columns={70}
            keep={words.save}
            cancel={words.cancel}
            help={words.correctHelp}
            onDone={onEdited}
          />
        </div>
      ) : (
        <TurnBody {...props} time={time} who={who} onEdit={edit} />
      )}
      {isCurrent && !isEditing && (
        <>
          <IconButton className="turn-correct" label={words.correct} icon={Pencil} size="row" shortcut="E" onPress={edit} />
          {speaker === undefined ? <AskWho {...props} /> : <TurnVoiceMenu {...props} speaker={speaker} />}
        </>
      )}
    </div>
  )
}

type BodyProps = RowProps & { readonly time: string; readonly who: string; readonly onEdit: () => void }

function TurnBody({ transcript, segment, index, turns, shortLabel, onEdit, time, who }: BodyProps) {
  const isCurrent = index === turns.choice.at
  const speaker = knownSpeakerOf(transcript, segment)
  const unclear = unclearWords(segment)
  const play = (): void => turns.play({ index, start_ms: segment.start_ms })
  return (
    <div
      className="turn-body"
      role="button"
      tabIndex={isCurrent ? 0 : -1}
      aria-current={isCurrent}
      title={segment.start_ms === null ? undefined : words.playFrom}
      onClick={play}
      onDoubleClick={onEdit}
      onKeyDown={onEnter(play)}
    >
      <span className="turn-time tabular">{time === '' ? index + 1 : time}</span>{' '}
      <span className={`turn-who speaker-${speakerTone(transcript, speaker)}`} title={who}>
        {speaker === undefined ? who : shortLabel(speaker)}
      </span>{' '}
      <Spoken className="turn-text">
        {textParts(segment).map((part, at) =>
          part.unclear ? (
            // oxlint-disable-next-line react/no-array-index-key -- the parts of one text never change order
            <span key={at} className="turn-unclear">
              {part.text}
            </span>
          ) : (
            part.text
          ),
        )}
      </Spoken>
      {unclear.length > 0 && <span className="visually-hidden">{`(${unclear.join(', ')}: ${words.heardUnclearly})`}</span>}
    </div>
  )
}

function AskWho({ segment, turns, voices, label }: RowProps) {
  return (
    <div className="turn-extras">
      <IconText as="span" className="turn-ask" icon={CircleHelp} text={words.who} />
      {voices.map((voice, index) => (
        <Button
          key={voice.id}
          size="row"
          {...(index < 4 ? { shortcut: String(index + 1) } : {})}
          onPress={() => turns.giveOne(segment.id, voice)}
          label={label(voice)}
        />
      ))}
    </div>
  )
}

function TurnVoiceMenu({ segment, speaker, transcript, voices, label, turns, regroup }: RowProps & { readonly speaker: Voice }) {
  const others = voices.map((voice, index) => ({ voice, key: String(index + 1) })).filter(({ voice }) => voice.id !== speaker.id)
  if (others.length === 0) return null
  const alike = soundingLike(transcript, segment.id)
  return (
    <Menu
      label={words.who}
      trigger={<IconButton className="turn-change-voice" label={words.who} icon={UserRoundPen} size="row" />}
      entries={[
        ...others.map(({ voice, key }) => ({
          id: `turn-${voice.id}`,
          label: words.thisTurn({ name: label(voice) }),
          ...(Number(key) <= 4 ? { shortcut: key } : {}),
          onAction: () => turns.giveOne(segment.id, voice),
        })),
        ...(alike.length > 1 ? others : []).map(({ voice }, index) => ({
          id: `alike-${voice.id}`,
          label: words.alikeTurns({ more: alike.length - 1, name: label(voice) }),
          startsGroup: index === 0,
          onAction: () => void regroup.give(alike, voice),
        })),
        ...others.map(({ voice }, index) => ({
          id: `all-${voice.id}`,
          label: words.everyTurn({ name: label(voice) }),
          startsGroup: index === 0,
          onAction: () => regroup.merge(speaker.id, voice),
        })),
      ]}
    />
  )
}
