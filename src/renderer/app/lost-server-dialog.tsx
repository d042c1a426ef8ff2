import { PowerOff, ShieldAlert } from 'lucide-react'
import { type LostServer, useLostServer } from '#renderer/bridge/lost-server.ts'
import { appStrings } from '#renderer/strings/app.ts'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { formatClock } from '#renderer/strings/time.ts'

/** Covers everything and cannot be closed: nothing that is typed into this window is saved any more. */
export function LostServerDialog() {
  const lost = useLostServer()
  const { title, text } = wordsOf(lost)
  return (
    <Dialog
      title={title}
      icon={lost?.kind === 'gone' ? PowerOff : ShieldAlert}
      isOpen={lost !== null}
      onClose={() => undefined}
      isDismissable={false}
      role="alertdialog"
    >
      <p>{text}</p>
    </Dialog>
  )
}

function wordsOf(lost: LostServer | null): { readonly title: string; readonly text: string } {
  const { otherServer, gone } = appStrings
  if (lost?.kind !== 'gone') return otherServer
  return { title: gone.title, text: gone.text(formatClock(lost.since)) }
}
