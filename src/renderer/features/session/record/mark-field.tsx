import { useState } from 'react'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { formatTimer } from '#renderer/strings/time.ts'

const words = sessionWords.now

interface MarkFieldProps {
  readonly recordingId: string
  /** The moment the key was pressed, not the moment the text is finished. */
  readonly atMs: number
  readonly onClose: () => void
}

export function MarkField({ recordingId, atMs, onClose }: MarkFieldProps) {
  const [text, setText] = useState('')
  const add = useAction('recordings.addMark')
  const keep = (): void =>
    add.mutate(
      { recording_id: recordingId, at_ms: Math.round(atMs), text: text.trim() || words.markDefault },
      { onSuccess: onClose },
    )
  return (
    <form
      className="mark-field"
      onSubmit={(event) => {
        event.preventDefault()
        keep()
      }}
    >
      <TextField
        label={words.markTitle(formatTimer(atMs))}
        help={words.markHelp}
        value={text}
        onChange={setText}
        maxLength={200}
        autoFocus
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose()
        }}
      />
      <Button type="submit">{words.save}</Button>
      <Button variant="quiet" onPress={onClose}>
        {words.cancel}
      </Button>
      {add.error !== null && <Problem code={add.error.code} />}
    </form>
  )
}
