import { Ellipsis, FileText, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Note } from '#contract/model/note.ts'
import type { Template } from '#contract/model/template.ts'
import { call, useAction, useAttempt, useCall } from '#renderer/bridge/use-bridge.ts'
import { useName } from '#renderer/lib/names.ts'
import { useNoteForms } from '#renderer/sessions/note-forms.ts'
import { noteWords as words } from '#renderer/strings/note.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Chip } from '#renderer/ui/chip.tsx'
import { ConfirmDialog } from '#renderer/ui/confirm-dialog.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { SelectField } from '#renderer/ui/field.tsx'
import { Menu } from '#renderer/ui/menu.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { useSession } from '../session-data.ts'
import { HeadActions } from '../session-head.tsx'

interface DraftActionsProps {
  readonly note: Note
  readonly onAdd: () => void
  readonly beforeDraft: () => Promise<unknown>
}

export function DraftActions({ note, onAdd, beforeDraft }: DraftActionsProps) {
  const { id, row } = useSession()
  const name = useName()
  const forms = useNoteForms()
  const [wanted, setWanted] = useState<Template | null>(null)
  const draft = useAction('notes.draft')
  const again = async (): Promise<void> => {
    if (wanted === null) return
    await beforeDraft()
    await draft.mutateAsync({ session_id: id, template: wanted }).then(
      () => setWanted(null),
      () => undefined,
    )
  }
  return (
    <HeadActions>
      <Chip tone="draft" icon={FileText}>
        {words.draftChip}
      </Chip>
      <SelectField
        className="template-choice"
        label={words.template}
        isLabelHidden
        options={forms.options}
        value={note.template}
        onChange={(template) => {
          if (template !== note.template) setWanted(template)
        }}
      />
      <Button icon={Plus} onPress={onAdd}>
        {words.addSentence}
      </Button>
      <Menu
        label={words.more}
        trigger={<IconButton label={words.more} icon={Ellipsis} variant="outlined" />}
        entries={[{ id: 'again', label: words.draftAgain, onAction: () => setWanted(note.template) }]}
      />
      <ConfirmDialog
        title={words.draftAgainTitle(name(row.client_name))}
        lead={words.draftAgainLead}
        isOpen={wanted !== null}
        onClose={() => setWanted(null)}
        no={words.draftAgainNo}
        yes={words.draftAgainYes}
        busy={draft.isPending ? words.none.writing : undefined}
        onYes={again}
      >
        {draft.error !== null && <Problem code={draft.error.code} />}
      </ConfirmDialog>
    </HeadActions>
  )
}

const signWords = words.sign

interface SignProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly flush: () => Promise<Note | null>
  readonly onReload: () => void
}

const whyNot: Readonly<Record<string, string>> = {
  'not-ready-to-sign': signWords.notReady,
  conflict: signWords.twoVersions,
}

export function SignDialog({ isOpen, onClose, flush, onReload }: SignProps) {
  const { id, row, settings } = useSession()
  const name = useName()
  const { doing, error, attempt } = useAttempt<'sign'>()
  const payer = useCall('notes.payerChecks', { session_id: id }, { enabled: isOpen })
  const open = (payer.data?.checks ?? []).filter(({ severity }) => severity === 'needs_you')
  const { therapist_name, therapist_credential } = settings
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
      title={signWords.title(name(row.client_name))}
      lead={signWords.lead(who)}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{signWords.cancel}</Button>
          <Button autoFocus variant="filled" busy={doing ? words.bar.signing : undefined} onPress={() => void sign()}>
            {signWords.sign}
          </Button>
        </>
      }
    >
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
