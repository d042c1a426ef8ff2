import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Note } from '#contract/model/note.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { noteWords } from '#renderer/strings/note.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/page.tsx'
import { formatClock, formatDate } from '#renderer/strings/time.ts'

const words = noteWords.signed

export function Addenda({ note }: { readonly note: Note }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section className="addenda" aria-labelledby="addenda-title">
      {note.addenda.length > 0 && (
        <h2 id="addenda-title" className="note-section-title">
          {words.addenda}
        </h2>
      )}
      {note.addenda.map((addendum) => (
        <article key={addendum.id} className="addendum">
          <p className="addendum-text">{addendum.text}</p>
          <p className="muted">{words.reason(addendum.reason)}</p>
          <p className="caption tabular">
            {addendum.by}, {words.at(formatDate(addendum.at), formatClock(addendum.at))}
          </p>
        </article>
      ))}
      {isOpen ? (
        <AddendumForm noteId={note.id} onDone={() => setOpen(false)} />
      ) : (
        <div>
          <Button icon={Plus} onPress={() => setOpen(true)}>
            {words.addAddendum}
          </Button>
        </div>
      )}
    </section>
  )
}

function AddendumForm({ noteId, onDone }: { readonly noteId: string; readonly onDone: () => void }) {
  const [text, setText] = useState('')
  const [reason, setReason] = useState('')
  const add = useAction('notes.addAddendum')
  const isReady = text.trim() !== '' && reason.trim() !== ''
  return (
    <form
      className="addendum-form ui-card"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) add.mutate({ id: noteId, text: text.trim(), reason: reason.trim() }, { onSuccess: onDone })
      }}
    >
      <TextField label={words.addendumText} value={text} onChange={setText} isMultiline rows={3} maxLength={4000} autoFocus />
      <TextField label={words.addendumReason} help={words.addendumHelp} value={reason} onChange={setReason} maxLength={4000} />
      {add.error !== null && <Notice tone="stopped" title={words.addendumFailed} />}
      <div className="addendum-buttons">
        <Button
          type="submit"
          variant="filled"
          isDisabled={!isReady}
          reason={words.addendumEmpty}
          busy={add.isPending ? words.addendumKeeping : undefined}
        >
          {words.addendumKeep}
        </Button>
        <Button variant="quiet" onPress={onDone}>
          {noteWords.cancel}
        </Button>
      </div>
    </form>
  )
}
