import { ShieldAlert } from 'lucide-react'
import { useOtherServer } from '#renderer/bridge/other-server.ts'
import { appStrings } from '#renderer/strings/app.ts'
import { Dialog } from '#renderer/ui/dialog.tsx'

const words = appStrings.otherServer

/** Covers everything and cannot be closed: nothing may be typed into this window any more. */
export function OtherServerDialog() {
  const isOther = useOtherServer()
  return (
    <Dialog
      title={words.title}
      icon={ShieldAlert}
      isOpen={isOther}
      onClose={() => undefined}
      isDismissable={false}
      role="alertdialog"
    >
      <p>{words.text}</p>
    </Dialog>
  )
}
