import { useState } from 'react'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { formWords } from '#renderer/strings/forms.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { fromExample, type EditedForm } from './form-edit.ts'

const words = formWords.example

interface ExampleDialogProps {
  readonly onClose: () => void
  readonly onRead: (form: EditedForm) => void
}

export function ExampleDialog({ onClose, onRead }: ExampleDialogProps) {
  const read = useAction('templates.fromExample')
  const [text, setText] = useState('')
  const [isMissing, setMissing] = useState(false)
  const submit = async (): Promise<void> => {
    setMissing(text.trim() === '')
    if (text.trim() === '') return
    const found = await read.mutateAsync({ text: text.slice(0, 40_000) }).catch(() => null)
    if (found !== null) onRead(fromExample(found))
  }
  return (
    <Dialog
      title={words.title}
      lead={words.lead}
      isOpen
      onClose={onClose}
      isDismissable={false}
      size="wide"
      actions={
        <>
          <Button onPress={onClose}>{formWords.cancel}</Button>
          <Button variant="filled" busy={read.isPending ? words.reading : undefined} onPress={() => void submit()}>
            {words.read}
          </Button>
        </>
      }
    >
      <TextField
        label={words.text}
        isMultiline
        rows={12}
        autoFocus
        value={text}
        onChange={setText}
        error={isMissing ? words.empty : undefined}
      />
      {read.error && <Problem code={read.error.code} />}
    </Dialog>
  )
}
