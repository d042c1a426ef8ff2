import { Plus, Trash2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import type { Snippet } from '#contract/bridge/settings.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { snippetWords as words } from '#renderer/strings/forms.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { FormDialog } from '#renderer/ui/dialog.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { Group, useKnownSettings } from '../setting.tsx'

export function SnippetsGroup() {
  const { snippets } = useKnownSettings()
  const [edited, setEdited] = useState<Snippet | null>(null)
  const update = useAction('settings.update')
  const toast = useToast()
  const remove = ({ name }: Snippet): void => {
    update.mutate({ snippets: snippets.filter((other) => other.name !== name) })
    toast({ text: words.removed({ name }), onUndo: () => update.mutate({ snippets }) })
  }
  return (
    <Group title={words.group}>
      {snippets.length === 0 && <p className="setting-text">{words.none}</p>}
      <ul className="own-forms" aria-label={words.group}>
        {snippets.map((snippet) => (
          <li key={snippet.name} className="own-form">
            <div>
              <p className="setting-label">/{snippet.name}</p>
              <p className="setting-text">{snippet.text}</p>
            </div>
            <span className="setting-actions">
              <Button aria-label={words.editNamed(snippet)} onPress={() => setEdited(snippet)} label={words.edit} />
              <IconButton icon={Trash2} label={words.removeNamed(snippet)} onPress={() => remove(snippet)} />
            </span>
          </li>
        ))}
      </ul>
      {update.error !== null && <Problem code={update.error.code} />}
      <div className="setting-actions own-forms-actions">
        <Button icon={Plus} onPress={() => setEdited({ name: '', text: '' })} label={words.add} />
      </div>
      {edited !== null && <SnippetDialog snippet={edited} onClose={() => setEdited(null)} />}
    </Group>
  )
}

function SnippetDialog({ snippet: given, onClose }: { readonly snippet: Snippet; readonly onClose: () => void }) {
  const others = useKnownSettings().snippets.filter(({ name }) => name !== given.name)
  const update = useAction('settings.update', onClose)
  const [name, setName] = useState(given.name)
  const [text, setText] = useState(given.text)
  const [isChecked, setChecked] = useState(false)
  const isTaken = others.some((other) => other.name.toLowerCase() === name.toLowerCase())
  const nameError = /^[^\s/]+$/.test(name) ? (isTaken ? words.nameTaken : false) : words.nameWrong
  const save = (event: FormEvent): void => {
    event.preventDefault()
    setChecked(true)
    if (nameError !== false || text.trim() === '') return
    const snippets = [...others, { name, text: text.trim() }].toSorted((one, other) => one.name.localeCompare(other.name))
    update.mutate({ snippets })
  }
  return (
    <FormDialog
      title={given.name === '' ? words.add : words.editNamed(given)}
      lead={words.lead}
      onClose={onClose}
      isDismissable={false}
      cancel={words.cancel}
      submit={words.save}
      busy={update.isPending && words.saving}
      onSubmit={save}
    >
      <TextField
        label={words.name}
        help={words.nameHelp}
        autoFocus
        maxLength={40}
        value={name}
        onChange={setName}
        error={isChecked && nameError}
      />
      <TextField
        label={words.text}
        isMultiline
        rows={4}
        maxLength={4000}
        value={text}
        onChange={setText}
        error={isChecked && text.trim() === '' && words.textMissing}
      />
      {update.error !== null && <Problem code={update.error.code} />}
    </FormDialog>
  )
}
