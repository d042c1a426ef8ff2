import type { ComponentProps } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Problem } from './page.tsx'

interface ConfirmDialogProps extends Omit<ComponentProps<typeof Dialog>, 'actions'> {
  readonly no: string
  readonly yes: string
  readonly variant?: 'filled' | 'erasing'
  readonly busy?: string | undefined
  readonly isDisabled?: boolean
  readonly error?: string | null | undefined
  readonly onYes: () => unknown
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { no, yes, variant = 'erasing', busy, isDisabled = false, error = null, onYes, children, ...frame } = props
  return (
    <Dialog
      isDismissable={false}
      {...frame}
      actions={
        <>
          <Button autoFocus onPress={frame.onClose} label={no} />
          <Button variant={variant} busy={busy} isDisabled={isDisabled} onPress={() => void onYes()} label={yes} />
        </>
      }
    >
      {children}
      {error !== null && <Problem code={error} />}
    </Dialog>
  )
}
