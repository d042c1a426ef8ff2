import { CircleAlert, Flag, Pause } from 'lucide-react'
import { useState } from 'react'
import type { Gap, Mark, Recording } from '#contract/model/recording.ts'
import { SPACE_EVERY_MS, useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { formatClock, formatTimer } from '#renderer/strings/time.ts'
import { LocalForm } from '../parts.tsx'
import { gapLength } from '../session-data.ts'

const words = sessionWords.now

interface SoFarProps {
  readonly recording: Recording
  readonly isRunning: boolean
  readonly isPaused?: boolean
  readonly savedMs?: number
}

export function SoFar({ recording, isRunning, isPaused = false, savedMs = 0 }: SoFarProps) {
  const space = useCall('recordings.space', {}, { enabled: isRunning, everyMs: SPACE_EVERY_MS })
  const entries = [...recording.marks, ...recording.gaps].toSorted((a, b) => b.at_ms - a.at_ms)
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
          'reason' in entry ? (
            <GapRow key={`gap-${entry.at_ms}`} gap={entry} />
          ) : (
            <MarkRow key={entry.id} mark={entry} recordingId={recording.id} />
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

function useMarkEdit(recordingId: string, mark: Mark) {
  const rename = useAction('recordings.renameMark')
  const remove = useAction('recordings.removeMark')
  const named = { recording_id: recordingId, mark_id: mark.id }
  return {
    error: rename.error ?? remove.error,
    rename: (text: string, onSuccess?: () => void) =>
      rename.mutate({ ...named, text: text.trim() }, { onSuccess: () => onSuccess?.() }),
    remove: (onSuccess?: () => void) => remove.mutate(named, { onSuccess: () => onSuccess?.() }),
  }
}

interface MarkProps {
  readonly recordingId: string
  readonly mark: Mark
}

function MarkRow({ recordingId, mark }: MarkProps) {
  const [text, setText] = useState<string | null>(null)
  const edit = useMarkEdit(recordingId, mark)
  const keep = (): void => {
    if (text !== null && text.trim() !== '') edit.rename(text)
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
        <LocalForm className="so-far-rename" onSubmit={keep}>
          <TextField
            label={words.renameLabel({ text: mark.text })}
            isLabelHidden
            value={text}
            onChange={setText}
            maxLength={200}
            autoFocus
            onKeyDown={({ key }) => key === 'Escape' && setText(null)}
          />
          <Button size="row" type="submit" label={words.save} />
          <Button
            size="row"
            variant="erasing"
            aria-label={words.removeLabel({ text: mark.text })}
            onPress={() => edit.remove()}
            label={words.remove}
          />
        </LocalForm>
      )}
    </li>
  )
}

export function useMarking(recording: Recording, ms: number) {
  const [marked, setMarked] = useState<Mark | null>(null)
  const add = useAction('recordings.addMark')
  const input = { recording_id: recording.id, at_ms: Math.round(ms), text: words.markDefault }
  const field = marked && <MarkField key={marked.id} recordingId={recording.id} mark={marked} onClose={() => setMarked(null)} />
  return {
    mark: (): void => add.mutate(input, { onSuccess: setMarked }),
    field: (
      <>
        {add.error !== null && <Problem code={add.error.code} />}
        {field}
      </>
    ),
  }
}

function MarkField({ recordingId, mark, onClose }: MarkProps & { readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const edit = useMarkEdit(recordingId, mark)
  const isNamed = text.trim() !== ''
  return (
    <LocalForm className="mark-field" onSubmit={() => (isNamed ? edit.rename(text, onClose) : onClose())}>
      <TextField
        label={words.markTitle({ time: formatTimer(mark.at_ms) })}
        help={words.markHelp}
        value={text}
        onChange={setText}
        maxLength={200}
        autoFocus
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
        onBlur={() => isNamed && edit.rename(text)}
      />
      <Button type="submit" label={words.save} />
      <Button variant="quiet" onPress={() => edit.remove(onClose)} label={words.remove} />
      {edit.error !== null && <Problem code={edit.error.code} />}
    </LocalForm>
  )
}
