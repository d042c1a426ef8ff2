import { useId, type FormEvent } from 'react'
import { Button } from './button.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'
import './form.css'

interface FormDialogProps extends Pick<DialogProps, 'title' | 'lead' | 'size' | 'onClose' | 'isDismissable' | 'children'> {
  readonly cancel: string
  /** What the button says that sends the form. */
  readonly submit: string
  /** What it says while that is under way. */
  readonly busy?: string | undefined
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => unknown
}

/** Something to be filled in, and sent with Enter or the button; what is wrong with it is said at its fields. */
export function FormDialog({ cancel, submit, busy, onSubmit, children, ...frame }: FormDialogProps) {
  const form = useId()
  return (
    <Dialog
      {...frame}
      isOpen
      actions={
        <>
          <Button onPress={frame.onClose}>{cancel}</Button>
          <Button variant="filled" type="submit" form={form} busy={busy}>
            {submit}
          </Button>
        </>
      }
    >
      <form id={form} className="ui-form" onSubmit={(event) => void onSubmit(event)} noValidate>
        {children}
      </form>
    </Dialog>
  )
}
