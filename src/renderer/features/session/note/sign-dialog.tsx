import { useId } from 'react'
import type { Note } from '#contract/model/note.ts'
import { call, useAttempt, useCall } from '#renderer/bridge/use-bridge.ts'
import { useName } from '#renderer/lib/names.ts'
import { noteWords as words } from '#renderer/strings/note.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Notice } from '#renderer/ui/page.tsx'
import { useAudioOutcome, useSession } from '../session-data.ts'

const signWords = words.sign

interface SignProps {
  readonly isOpen: boolean
  readonly isOutdated: boolean
  readonly onClose: () => void
  readonly flush: () => Promise<Note | null>
  readonly onReload: () => void
}

const whyNot: Readonly<Record<string, string>> = {
  'not-ready-to-sign': signWords.notReady,
  conflict: signWords.twoVersions,
}

export function SignDialog({ isOpen, isOutdated, onClose, flush, onReload }: SignProps) {
  const { id, row, settings } = useSession()
  const name = useName()
  const { plan, sentence } = useAudioOutcome()
  const audioId = useId()
  const { doing, error, attempt } = useAttempt<'sign'>()
  const payer = useCall('notes.payerChecks', { session_id: id }, { enabled: isOpen })
  const open = (payer.data?.checks ?? []).filter(({ severity }) => severity === 'needs_you')
  const { therapist_name, therapist_credential } = settings
  const who = therapist_credential === null ? therapist_name : `${therapist_name}, ${therapist_credential}`
  const deletes_audio = plan?.outcome === 'deleted-by-signing'
  const sign = async (): Promise<void> => {
    const failure = await attempt('sign', async () => {
      const stored = await flush()
      if (stored !== null) await call('notes.sign', { id: stored.id, version: stored.version, deletes_audio })
      onClose()
    })
    if (failure === 'stale-version') onReload()
  }
  return (
    <Dialog
      title={signWords.title({ name: name(row.client_name) })}
      lead={signWords.lead({ who })}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button autoFocus={deletes_audio} onPress={onClose} label={signWords.cancel} />
          <Button
            autoFocus={!deletes_audio}
            aria-describedby={audioId}
            variant="filled"
            busy={doing ? words.bar.signing : undefined}
            onPress={() => void sign()}
            label={isOutdated ? words.outdated.sign : signWords.sign}
          />
        </>
      }
    >
      {isOutdated && <Notice tone="needs" title={words.outdated.title} />}
      <div id={audioId}>{sentence !== null && <Notice tone={deletes_audio ? 'needs' : 'neutral'} title={sentence} />}</div>
      {open.length > 0 && (
        <Notice tone="needs" title={words.payer.before}>
          <ul>
            {open.map((check) => (
              <li key={check.code}>{check.message}</li>
            ))}
          </ul>
        </Notice>
      )}
      {error !== null && (
        <Notice tone="stopped" title={signWords.failed}>
          {whyNot[error] ?? words.save.stale}
        </Notice>
      )}
    </Dialog>
  )
}
