import type { Note } from '#contract/model/note.ts'
import { useName } from '#renderer/lib/names.ts'
import { useAttempt } from '#renderer/bridge/use-attempt.ts'
import { call, useCall } from '#renderer/bridge/use-bridge.ts'
import { noteWords } from '#renderer/strings/note.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Notice } from '#renderer/ui/page.tsx'
import type { SessionData } from '../session-data.ts'

const words = noteWords.sign

interface SignProps {
  readonly data: SessionData
  readonly isOpen: boolean
  readonly onClose: () => void
  /** The note as stored, with everything typed; null when it could not be saved. */
  readonly flush: () => Promise<Note | null>
  readonly onReload: () => void
}

const whyNot: Readonly<Record<string, string>> = {
  'not-ready-to-sign': words.notReady,
  conflict: words.twoVersions,
}

export function SignDialog({ data, isOpen, onClose, flush, onReload }: SignProps) {
  const name = useName()
  const { doing, error, attempt } = useAttempt<'sign'>()
  const payer = useCall('notes.payerChecks', { session_id: data.row.session.id }, { enabled: isOpen })
  const open = (payer.data?.checks ?? []).filter(({ severity }) => severity === 'needs_you')
  const { therapist_name, therapist_credential } = data.settings
  const who = therapist_credential === null ? therapist_name : `${therapist_name}, ${therapist_credential}`
  const sign = async (): Promise<void> => {
    const failure = await attempt('sign', async () => {
      const stored = await flush()
      if (stored !== null) await call('notes.sign', { id: stored.id, version: stored.version })
      onClose()
    })
    if (failure === 'stale-version') onReload()
  }
  return (
    <Dialog
      title={words.title(name(data.row.client_name))}
      lead={words.lead(who)}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button autoFocus variant="filled" busy={doing ? noteWords.bar.signing : undefined} onPress={() => void sign()}>
            {words.sign}
          </Button>
        </>
      }
    >
      {open.length > 0 && (
        <Notice tone="needs" title={noteWords.payer.before}>
          <ul>
            {open.map((check) => (
              <li key={check.code}>{check.message}</li>
            ))}
          </ul>
        </Notice>
      )}
      {error !== null && (
        <Notice tone="stopped" title={words.failed}>
          {whyNot[error] ?? noteWords.save.stale}
        </Notice>
      )}
    </Dialog>
  )
}
