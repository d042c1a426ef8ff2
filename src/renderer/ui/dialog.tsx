import { X, type LucideIcon } from 'lucide-react'
import { useId, type FormEvent, type ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { fieldStrings } from '../strings/app.ts'
import { IconButton, Button } from './button.tsx'
import { Problem } from './page.tsx'
import './dialog.css'
import './form.css'

interface DialogProps {
  readonly title: string
  readonly lead?: ReactNode
  readonly icon?: LucideIcon
  readonly isOpen?: boolean
  /** Called by Esc, the close button and clicks outside, so it must be the safe choice. */
  readonly onClose: () => void
  readonly children?: ReactNode
  /** The safe button comes first, with `autoFocus` if another one deletes data or opens the microphone. */
  readonly actions?: ReactNode
  /** False if an accidental close would lose input or a decision: no close button, and clicks outside do nothing. */
  readonly isDismissable?: boolean
  readonly size?: 'normal' | 'wide'
  /** Makes the text focusable, so that it scrolls by keyboard (WCAG 2.1.1). */
  readonly isReading?: boolean
  readonly role?: 'dialog' | 'alertdialog'
}

export function Dialog(props: DialogProps) {
  const {
    title,
    lead,
    icon: Icon,
    isOpen = true,
    onClose,
    children,
    actions,
    isDismissable = true,
    size = 'normal',
    isReading = false,
    role = 'dialog',
  } = props
  return (
    <ModalOverlay
      className="ui-scrim"
      isOpen={isOpen}
      isDismissable={isDismissable}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <Modal className={`ui-modal ui-modal-${size}`}>
        <AriaDialog className="ui-dialog" role={role}>
          <header className="ui-dialog-head">
            {Icon && <Icon aria-hidden className="ui-dialog-icon" />}
            <div>
              <Heading slot="title" className="ui-dialog-title">
                {title}
              </Heading>
              {lead !== undefined && <p className="ui-dialog-lead">{lead}</p>}
            </div>
            {isDismissable && <IconButton label={fieldStrings.close} icon={X} onPress={onClose} className="ui-dialog-close" />}
          </header>
          {children !== undefined && (
            <div className="ui-dialog-body" {...(isReading ? { tabIndex: 0, role: 'region', 'aria-label': title } : {})}>
              {children}
            </div>
          )}
          {actions !== undefined && <footer className="ui-dialog-actions">{actions}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

interface AskProps extends Omit<DialogProps, 'actions'> {
  readonly cancel: string
  readonly submit: string
  readonly busy?: string | false | undefined
  readonly isCancelFocused?: boolean
}

interface FormDialogProps extends AskProps {
  /** Another way to send the form. */
  readonly alternative?: ReactNode
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => unknown
}

export function FormDialog(props: FormDialogProps) {
  const { cancel, submit, busy, isCancelFocused = false, alternative, onSubmit, children, ...frame } = props
  const form = useId()
  return (
    <Dialog
      {...frame}
      actions={
        <>
          <Button autoFocus={isCancelFocused} onPress={frame.onClose} label={cancel} />
          {alternative}
          <Button variant="filled" type="submit" form={form} busy={busy} label={submit} />
        </>
      }
    >
      <form id={form} className="ui-form" onSubmit={(event) => void onSubmit(event)} noValidate>
        {children}
      </form>
    </Dialog>
  )
}

interface ConfirmDialogProps extends AskProps {
  readonly variant?: 'filled' | 'erasing'
  readonly isDisabled?: boolean
  readonly error?: string | null | undefined
  readonly onConfirm: () => unknown
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    cancel,
    submit,
    busy,
    isCancelFocused = true,
    variant = 'erasing',
    isDisabled,
    error = null,
    onConfirm,
    ...rest
  } = props
  const { children, ...frame } = rest
  return (
    <Dialog
      isDismissable={false}
      {...frame}
      actions={
        <>
          <Button autoFocus={isCancelFocused} onPress={frame.onClose} label={cancel} />
          <Button
            variant={variant}
            busy={busy}
            isDisabled={isDisabled ?? false}
            onPress={() => void onConfirm()}
            label={submit}
          />
        </>
      }
    >
      {children}
      {error !== null && <Problem code={error} />}
    </Dialog>
  )
}

type ReadingDialogProps = Pick<DialogProps, 'title' | 'lead' | 'onClose' | 'children'> & { readonly close: string }

export function ReadingDialog({ close, ...frame }: ReadingDialogProps) {
  return <Dialog {...frame} size="wide" isReading actions={<Button autoFocus onPress={frame.onClose} label={close} />} />
}
