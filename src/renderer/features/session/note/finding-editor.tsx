import { useEffect, useRef, useState } from 'react'
import { noteWords } from '#renderer/strings/note.ts'
import { Button } from '#renderer/ui/button.tsx'
import { RadioGroup } from '#renderer/ui/choice.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import type { FindingAnswer } from './findings.ts'

const words = noteWords.finding
const states = (['stated', 'denied', 'not_assessed'] as const).map((value) => ({ value, label: words.states[value] }))

interface EditorProps {
  readonly topic: string
  /** Null: it stays as it was. */
  readonly onDone: (answer: FindingAnswer | null) => void
}

/** Stated, denied or not assessed, in the therapist's own words; nothing is chosen beforehand. */
export function FindingEditor({ topic, onDone }: EditorProps) {
  const box = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<FindingAnswer['state'] | null>(null)
  const [own, setOwn] = useState('')
  useEffect(() => {
    box.current?.querySelector<HTMLElement>('input[type=radio]')?.focus({ preventScroll: true })
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const reason = state === null ? words.choose : state === 'stated' && own.trim() === '' ? words.saySo : null
  const keep = (): void => {
    if (state !== null && reason === null) onDone({ state, words: own })
  }
  return (
    <div
      ref={box}
      className="finding-editor ui-card"
      role="group"
      aria-label={topic}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onDone(null)
      }}
    >
      <RadioGroup label={topic} look="row" options={states} value={state} onChange={setState} />
      <TextField
        label={words.own}
        value={own}
        onChange={setOwn}
        maxLength={1000}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          keep()
        }}
      />
      <div className="sentence-editor-actions">
        <Button size="row" variant="filled" isDisabled={reason !== null} {...(reason === null ? {} : { reason })} onPress={keep}>
          {noteWords.keep}
        </Button>
        <Button size="row" variant="quiet" onPress={() => onDone(null)}>
          {noteWords.cancel}
        </Button>
      </div>
    </div>
  )
}
