import { Ellipsis, FileText, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Note } from '#contract/model/note.ts'
import type { Template } from '#contract/model/template.ts'
import { useName } from '#renderer/lib/names.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { noteWords as words } from '#renderer/strings/note.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Chip } from '#renderer/ui/chip.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { SelectField } from '#renderer/ui/field.tsx'
import { Menu } from '#renderer/ui/menu.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { useNoteForms } from '#renderer/sessions/note-forms.ts'
import { HeadActions } from '../head-actions.tsx'
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
        title={words.draftAgainTitle(name(data.row.client_name))}
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
