import { CircleHelp, Pencil } from 'lucide-react'
import type { Segment } from '#contract/model/transcript.ts'
import { formatMoment } from '#renderer/strings/time.ts'
import { transcriptWords as words } from '#renderer/strings/transcript.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Spoken } from '#renderer/ui/spoken.tsx'
import { LinesEditor } from '../parts.tsx'
import { chosenRange, knownSpeakerOf, speakerTone } from './speakers.ts'
import { correctTurn, textParts, unclearWords } from './unclear.ts'
import type { TranscriptModel } from './use-turns.ts'
import { TurnVoiceMenu } from './voice-menu.tsx'

type RowProps = TranscriptModel & { readonly segment: Segment; readonly index: number }

export function TurnRow(props: RowProps) {
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

function TurnBody({ transcript, segment, index, turns, player, shortLabel, onEdit, time, who }: BodyProps) {
  const isCurrent = index === turns.choice.at
  const speaker = knownSpeakerOf(transcript, segment)
  const unclear = unclearWords(segment)
  const spokenText = unclear.length === 0 ? segment.text : `${segment.text} (${unclear.join(', ')}: ${words.heardUnclearly})`
  const play = (): void => {
    turns.choose(index)
    if (segment.start_ms !== null) player.playFrom(segment.start_ms)
  }
  return (
    <div
      className="turn-body"
      role="button"
      tabIndex={isCurrent ? 0 : -1}
      aria-current={isCurrent}
      aria-label={words.turn(who, time, spokenText)}
      title={segment.start_ms === null ? undefined : words.playFrom}
      onClick={play}
      onDoubleClick={onEdit}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        play()
      }}
    >
      <span className="turn-time tabular">{time === '' ? index + 1 : time}</span>
      <span className={`turn-who speaker-${speakerTone(transcript, speaker)}`} title={who}>
        {speaker === undefined ? who : shortLabel(speaker)}
      </span>
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
    </div>
  )
}

function AskWho({ segment, turns, voices, label }: RowProps) {
  return (
    <div className="turn-extras">
      <span className="turn-ask">
        <CircleHelp aria-hidden />
        {words.who}
      </span>
      {voices.map((voice, index) => (
        <Button
          key={voice.id}
          size="row"
          {...(index < 4 ? { shortcut: String(index + 1) } : {})}
          onPress={() => turns.giveOne(segment.id, voice)}
        >
          {label(voice)}
        </Button>
      ))}
    </div>
  )
}
