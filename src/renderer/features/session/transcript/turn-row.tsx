import { CircleHelp, Pencil } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Segment, Transcript } from '#contract/model/transcript.ts'
import { transcriptWords as words } from '#renderer/strings/transcript.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Spoken } from '#renderer/ui/spoken.tsx'
import { formatMoment } from '#renderer/strings/time.ts'
import { hasVoice, speakerOf, speakerTone, type Voice, soundingLike } from './speakers.ts'
import { TurnVoiceMenu } from './voice-menu.tsx'
import { textParts, unclearWords } from './unclear.ts'

export interface TurnRowProps {
  readonly transcript: Transcript
  readonly segment: Segment
  readonly number: number
  readonly isCurrent: boolean
  readonly isChosen: boolean
  readonly isEditing: boolean
  readonly voices: readonly Voice[]
  readonly label: (voice: Voice) => string
  readonly shortLabel: (voice: Voice) => string
  readonly onPlay: () => void
  readonly onVoice: (voice: Voice) => void
  readonly onAlike: (voice: Voice) => void
  readonly onWholeVoice: (voice: Voice) => void
  readonly onEdit: () => void
  readonly onEdited: (text: string | null) => void
}

export function TurnRow(props: TurnRowProps) {
  const { transcript, segment, isCurrent, isChosen, isEditing, voices, label, onVoice, onAlike, onWholeVoice, onEdit } = props
  const speaker = speakerOf(transcript, segment)
  const isKnown = hasVoice(transcript, segment)
  const who = speaker === undefined || !isKnown ? words.unknownVoice : label(speaker)
  const time = segment.start_ms === null ? '' : formatMoment(segment.start_ms)
  return (
    <div className={`turn${isChosen ? ' turn-chosen' : ''}${isCurrent ? ' turn-current' : ''}`}>
      {isEditing ? <TurnEditor {...props} time={time} who={who} /> : <TurnBody {...props} time={time} who={who} />}
      {isCurrent && !isEditing && (
        <IconButton className="turn-correct" label={words.correct} icon={Pencil} size="row" shortcut="E" onPress={onEdit} />
      )}
      {isCurrent && !isEditing && isKnown && speaker !== undefined && (
        <TurnVoiceMenu
          speaker={speaker}
          voices={voices}
          label={label}
          alike={soundingLike(transcript, segment.id).length}
          onVoice={onVoice}
          onAlike={onAlike}
          onWholeVoice={onWholeVoice}
        />
      )}
      {isCurrent && !isEditing && !isKnown && (
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
              onPress={() => onVoice(voice)}
            >
              {label(voice)}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

type Named = TurnRowProps & { readonly time: string; readonly who: string }

function TurnBody({ transcript, segment, number, isCurrent, shortLabel, onPlay, onEdit, time, who }: Named) {
  const speaker = speakerOf(transcript, segment)
  const unclear = unclearWords(segment)
  const spokenText = unclear.length === 0 ? segment.text : `${segment.text} (${unclear.join(', ')}: ${words.heardUnclearly})`
  return (
    <div
      className="turn-body"
      role="button"
      tabIndex={isCurrent ? 0 : -1}
      aria-current={isCurrent}
      aria-label={words.turn(who, time, spokenText)}
      title={segment.start_ms === null ? undefined : words.playFrom}
      onClick={onPlay}
      onDoubleClick={onEdit}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        onPlay()
      }}
    >
      <span className="turn-time tabular">{time === '' ? number : time}</span>
      <span className={`turn-who speaker-${speakerTone(transcript, speaker)}`} title={who}>
        {speaker === undefined || !hasVoice(transcript, segment) ? who : shortLabel(speaker)}
      </span>
      <Spoken className="turn-text">
        {textParts(segment).map((part, index) =>
          part.unclear ? (
            // oxlint-disable-next-line react/no-array-index-key -- the parts of one text never change order
            <span key={index} className="turn-unclear">
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

function TurnEditor({ segment, onEdited, time, who }: Named) {
  const [text, setText] = useState(segment.text)
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    area.current?.focus()
    area.current?.setSelectionRange(area.current.value.length, area.current.value.length)
  }, [])
  const keep = (): void => onEdited(text.trim() === '' ? null : text.trim())
  return (
    <div className="turn-editor">
      <span className="turn-time tabular">{time}</span>
      <span className="turn-who">{who}</span>
      <div className="turn-editor-field">
        <textarea
          ref={area}
          aria-label={`${words.correct}, ${who}, ${time}`}
          autoComplete="off"
          value={text}
          rows={Math.max(2, Math.ceil(text.length / 70))}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onEdited(null)
            if (event.key !== 'Enter' || event.shiftKey) return
            event.preventDefault()
            keep()
          }}
        />
        <div className="turn-editor-actions">
          <Button size="row" variant="filled" onPress={keep}>
            {words.save}
          </Button>
          <Button size="row" variant="quiet" onPress={() => onEdited(null)}>
            {words.cancel}
          </Button>
          <span className="caption">{words.correctHelp}</span>
        </div>
      </div>
    </div>
  )
}
