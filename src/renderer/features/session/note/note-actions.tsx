import { Ellipsis, FileText, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Note } from '#contract/model/note.ts'
import type { Template } from '#contract/model/template.ts'
import { useName } from '#renderer/lib/names.ts'
import { useAction, call, useCall, useAttempt } from '#renderer/bridge/use-bridge.ts'
import { noteWords as words } from '#renderer/strings/note.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Chip } from '#renderer/ui/chip.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { SelectField } from '#renderer/ui/field.tsx'
import { Menu } from '#renderer/ui/menu.tsx'
import { Problem, Notice } from '#renderer/ui/page.tsx'
import { useNoteForms } from '#renderer/sessions/note-forms.ts'
import { HeadActions } from '../session-head.tsx'
import type { SessionData } from '../session-data.ts'

interface DraftActionsProps {
  readonly data: SessionData
  readonly note: Note
  readonly onAdd: () => void
  readonly beforeDraft: () => Promise<unknown>
}

export function DraftActions({ data, note, onAdd, beforeDraft }: DraftActionsProps) {
  const name = useName()
  const forms = useNoteForms()
  const [wanted, setWanted] = useState<Template | null>(null)
  const draft = useAction('notes.draft')
  const again = async (): Promise<void> => {
    if (wanted === null) return
    await beforeDraft()
    await draft.mutateAsync({ session_id: data.row.session.id, template: wanted }).then(
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
      <Dialog
        title={words.draftAgainTitle({ name: name(data.row.client_name) })}
        lead={words.draftAgainLead}
        isOpen={wanted !== null}
        onClose={() => setWanted(null)}
        isDismissable={false}
        actions={
          <>
            <Button autoFocus onPress={() => setWanted(null)}>
              {words.draftAgainNo}
            </Button>
            <Button variant="erasing" busy={draft.isPending ? words.none.writing : undefined} onPress={() => void again()}>
              {words.draftAgainYes}
            </Button>
          </>
        }
      >
        {draft.error !== null && <Problem code={draft.error.code} />}
      </Dialog>
    </HeadActions>
  )
}

const signWords = words.sign

interface SignProps {
  readonly data: SessionData
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Saves pending edits and returns the stored note, or null if saving failed. */
  readonly flush: () => Promise<Note | null>
  readonly onReload: () => void
}

const whyNot: Readonly<Record<string, string>> = {
  'not-ready-to-sign': signWords.notReady,
  conflict: signWords.twoVersions,
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
      title={signWords.title({ name: name(data.row.client_name) })}
      lead={signWords.lead({ who })}
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
