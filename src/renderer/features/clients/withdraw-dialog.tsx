import type { Consent } from '#contract/model/consent.ts'
import { useName } from '#renderer/lib/names.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { clientsStrings } from '#renderer/strings/clients.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'

const words = clientsStrings.consent.withdrawDialog

export function WithdrawDialog({ consent, onClose }: { readonly consent: Consent; readonly onClose: () => void }) {
  const nameOf = useName()
  const toast = useToast()
  const revoke = useAction('consents.revoke')
  const withdraw = async (): Promise<void> => {
    const revoked = await revoke.mutateAsync({ id: consent.id }).catch(() => null)
    if (revoked === null) return
    toast({ text: words.done })
    onClose()
  }
  return (
    <Dialog
      title={words.title(nameOf(consent.participant.name))}
      lead={words.lead}
      isOpen
      isDismissable={false}
      onClose={onClose}
      role="alertdialog"
      actions={
        <>
          <Button autoFocus onPress={onClose}>
            {words.keep}
          </Button>
          <Button variant="erasing" busy={revoke.isPending ? words.withdrawing : undefined} onPress={() => void withdraw()}>
            {words.withdraw}
          </Button>
        </>
      }
    >
      {revoke.error && <Problem code={revoke.error.code} />}
    </Dialog>
  )
}
