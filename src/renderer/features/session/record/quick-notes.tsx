import { useRef, useState } from 'react'
import type { Recording } from '#contract/model/recording.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { TextField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'

const words = sessionWords.now

/** A typed line kept with the time at which its first letter was typed: what it is about was said then. */
export function QuickNotes({ recording }: { readonly recording: Recording }) {
  const { state } = useRecorder()
  const [text, setText] = useState('')
  const begunAt = useRef<number | null>(null)
  const add = useAction('recordings.addMark')
  const change = (next: string): void => {
    if (next !== '' && begunAt.current === null) begunAt.current = state.captured_ms
    if (next === '') begunAt.current = null
    setText(next)
  }
  const keep = (): void => {
    const line = text.trim()
    if (line === '' || add.isPending) return
    add.mutate(
      { recording_id: recording.id, at_ms: Math.round(begunAt.current ?? state.captured_ms), text: line },
      { onSuccess: () => change('') },
    )
  }
  return (
    <section className="quick-notes" aria-labelledby="quick-notes-title">
      <h2 id="quick-notes-title" className="session-aside-title">
        {words.quickNotes}
      </h2>
      <TextField
        label={words.quickNotesField}
        isLabelHidden
        help={words.quickNotesHelp}
        value={text}
        onChange={change}
        maxLength={200}
        isMultiline
        rows={2}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.ctrlKey || event.metaKey) return
          event.preventDefault()
          keep()
        }}
      />
      {add.error !== null && <Problem code={add.error.code} />}
    </section>
  )
}
