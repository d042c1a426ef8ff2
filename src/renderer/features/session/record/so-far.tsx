import { CircleAlert, Flag, Pause } from 'lucide-react'
import { useState } from 'react'
import type { Gap, Mark, Recording } from '#contract/model/recording.ts'
import { SPACE_EVERY_MS, useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { formatClock, formatTimer } from '#renderer/strings/time.ts'
import { gapLength } from '../session-data.ts'

const words = sessionWords.now

type Entry =
  | { readonly kind: 'mark'; readonly at_ms: number; readonly mark: Mark }
  | { readonly kind: 'gap'; readonly at_ms: number; readonly gap: Gap }

interface SoFarProps {
  readonly recording: Recording
  readonly isRunning: boolean
  readonly isPaused?: boolean
  readonly savedMs?: number
}

export function SoFar({ recording, isRunning, isPaused = false, savedMs = 0 }: SoFarProps) {
  const space = useCall('recordings.space', {}, { enabled: isRunning, everyMs: SPACE_EVERY_MS })
  const entries: Entry[] = [
    ...recording.marks.map((mark): Entry => ({ kind: 'mark', at_ms: mark.at_ms, mark })),
    ...recording.gaps.map((gap): Entry => ({ kind: 'gap', at_ms: gap.at_ms, gap })),
  ].toSorted((a, b) => b.at_ms - a.at_ms)
  if (!isRunning && entries.length === 0) return null
  const hours = isRunning && space.data !== undefined ? ` · ${words.space(Math.floor(space.data.hours))}` : ''
  return (
    <section className="so-far" aria-labelledby="so-far-title">
      <div className="so-far-head">
        <h2 id="so-far-title">{isRunning ? words.soFar : words.marksAndPauses}</h2>
        <span className="muted tabular">
          {words.started({ time: formatClock(recording.started_at) })}
          {hours}
        </span>
      </div>
      <ul className="so-far-list">
        {isPaused && (
          <li className="so-far-row">
            <span className="so-far-time tabular">{formatTimer(Math.max(savedMs, recording.saved_ms))}</span>
            <Pause aria-hidden />
            <span>{words.stillPaused}</span>
          </li>
        )}
        {entries.map((entry) =>
          entry.kind === 'mark' ? (
            <MarkRow key={entry.mark.id} mark={entry.mark} recordingId={recording.id} />
          ) : (
            <GapRow key={`gap-${entry.at_ms}`} gap={entry.gap} />
          ),
        )}
        {entries.length === 0 && !isPaused && <li className="so-far-empty muted">{words.nothingYet}</li>}
      </ul>
    </section>
  )
}

function GapRow({ gap }: { readonly gap: Gap }) {
  const Icon = gap.reason === 'pause' ? Pause : CircleAlert
  return (
    <li className="so-far-row">
      <span className="so-far-time tabular">{formatTimer(gap.at_ms)}</span>
      <Icon aria-hidden />
      <span>
        {words.gap(gap.reason, gapLength(gap.duration_ms))}
        {gap.reason !== 'damage' && <span className="muted"> {words.nothingRecorded}</span>}
      </span>
    </li>
  )
}

function MarkRow({ mark, recordingId }: { readonly mark: Mark; readonly recordingId: string }) {
  const [text, setText] = useState<string | null>(null)
  const rename = useAction('recordings.renameMark')
  const remove = useAction('recordings.removeMark')
  const keep = (): void => {
    if (text !== null && text.trim() !== '') rename.mutate({ recording_id: recordingId, mark_id: mark.id, text: text.trim() })
    setText(null)
  }
  return (
    <li className="so-far-row">
      <span className="so-far-time tabular">{formatTimer(mark.at_ms)}</span>
      <Flag aria-hidden />
      {text === null ? (
        <>
          <span className="so-far-text">{mark.text}</span>
          <LinkButton onPress={() => setText(mark.text)}>
            {words.rename}
            <span className="visually-hidden"> {mark.text}</span>
          </LinkButton>
        </>
      ) : (
        <form
          className="so-far-rename"
          onSubmit={(event) => {
            event.preventDefault()
            keep()
          }}
        >
          <TextField
            label={words.renameLabel({ text: mark.text })}
            isLabelHidden
            value={text}
            onChange={setText}
            maxLength={200}
            autoFocus
            onKeyDown={(event) => {
              if (event.key === 'Escape') setText(null)
            }}
          />
          <Button size="row" type="submit">
            {words.save}
          </Button>
          <Button
            size="row"
            variant="erasing"
            aria-label={words.removeLabel({ text: mark.text })}
            onPress={() => remove.mutate({ recording_id: recordingId, mark_id: mark.id })}
          >
            {words.remove}
          </Button>
        </form>
      )}
    </li>
  )
}

/** Saves a mark at once; its name can follow. */
export function useMarking(recording: Recording, ms: number) {
  const [marked, setMarked] = useState<Mark | null>(null)
  const add = useAction('recordings.addMark')
  const input = { recording_id: recording.id, at_ms: Math.round(ms), text: words.markDefault }
  return {
    mark: (): void => add.mutate(input, { onSuccess: setMarked }),
    field: (
      <>
        {add.error !== null && <Problem code={add.error.code} />}
        {marked !== null && (
          <MarkField key={marked.id} recordingId={recording.id} mark={marked} onClose={() => setMarked(null)} />
        )}
      </>
    ),
  }
}

interface MarkFieldProps {
  readonly recordingId: string
  readonly mark: Mark
  readonly onClose: () => void
}

/** Names a mark that is already saved. */
function MarkField({ recordingId, mark, onClose }: MarkFieldProps) {
  const [text, setText] = useState('')
  const rename = useAction('recordings.renameMark')
  const remove = useAction('recordings.removeMark')
  const name = { recording_id: recordingId, mark_id: mark.id }
  const error = rename.error ?? remove.error
  const keep = (): void => {
    if (text.trim() === '') onClose()
    else rename.mutate({ ...name, text: text.trim() }, { onSuccess: onClose })
  }
  const discard = (): void => remove.mutate(name, { onSuccess: onClose })
  return (
    <form
      className="mark-field"
      onSubmit={(event) => {
        event.preventDefault()
        keep()
      }}
    >
      <TextField
        label={words.markTitle({ time: formatTimer(mark.at_ms) })}
        help={words.markHelp}
        value={text}
        onChange={setText}
        maxLength={200}
        autoFocus
        onKeyDown={(event) => {
          if (event.key === 'Escape') discard()
        }}
        onBlur={() => {
          if (text.trim() !== '') rename.mutate({ ...name, text: text.trim() })
        }}
      />
      <Button type="submit">{words.save}</Button>
      <Button variant="quiet" onPress={discard}>
        {words.remove}
      </Button>
      {error !== null && <Problem code={error.code} />}
    </form>
  )
}
