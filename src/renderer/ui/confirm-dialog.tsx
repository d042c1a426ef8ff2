import type { ComponentProps } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmDialogProps extends Omit<ComponentProps<typeof Dialog>, 'actions'> {
  readonly no: string
  readonly yes: string
  readonly variant?: 'filled' | 'erasing'
  readonly busy?: string | undefined
  readonly isDisabled?: boolean
  readonly onYes: () => unknown
}

export function ConfirmDialog({ no, yes, variant = 'erasing', busy, isDisabled = false, onYes, ...frame }: ConfirmDialogProps) {
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
    />
  )
}
