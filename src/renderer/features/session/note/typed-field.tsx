import { Pencil } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import type { Snippet } from '#contract/bridge/settings.ts'
import type { NoteSection, Statement } from '#contract/model/note.ts'
import { linesOf } from '#domain/note-sections.ts'
import { navigate } from '#renderer/lib/routes.ts'
import { keyName } from '#renderer/lib/shortcuts.ts'
import { noteWords as words } from '#renderer/strings/note.ts'
import { LinkButton } from '#renderer/ui/button.tsx'
import { useSession } from '../session-data.ts'
import { DictateButton, Dictations, useDictating } from './dictation.tsx'
import { textOf } from './note-edit.ts'
import { useEditing } from './use-note-editing.ts'

/** A section's text field. Each line that is not empty is a statement. */
export function TypedField({ section, typed }: { readonly section: NoteSection; readonly typed: readonly Statement[] }) {
  const editing = useEditing()
  const area = useRef<HTMLTextAreaElement>(null)
  const stored = textOf(typed)
  useEffect(() => {
    // Blank lines and spaces at the end of lines are not stored, but must stay while typing.
    if (area.current && linesOf(area.current.value).join('\n') !== stored) area.current.value = stored
  }, [stored])
  const chosen = typed.findIndex(({ id }) => id === editing.selectedId)
  useEffect(() => {
    if (area.current === null || chosen < 0) return
    const end = textOf(typed.slice(0, chosen + 1)).length
    area.current.focus()
    area.current.setSelectionRange(end - typed[chosen]!.text.length, end)
  }, [chosen, typed])
  const change = (text: string): void => editing.type(section.key, text)
  const snippets = useSnippets(area, change)
  const dictating = useDictating(section, area, change)
  return (
    <>
      <div className="typed-field">
        <textarea
          ref={area}
          aria-label={words.field({ section: section.title })}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-keyshortcuts="Control+D Meta+D"
          {...snippets.fieldProps}
          onKeyDown={(event) => {
            if (keyName(event) === 'Mod+d') dictating.toggle(event)
            else snippets.fieldProps.onKeyDown(event)
          }}
          autoComplete="off"
          placeholder={words.fieldPlaceholder}
          rows={1}
          defaultValue={stored}
          onFocus={() => editing.select(null)}
          onChange={(event) => change(event.target.value)}
        />
        {typed.length > 0 && (
          <span className="evidence-own" title={words.evidence.own}>
            <Pencil aria-hidden />
          </span>
        )}
        <DictateButton {...dictating} />
        {snippets.isOpen && <SnippetList {...snippets} />}
      </div>
      <Dictations {...dictating} />
    </>
  )
}

/** The word with a slash before the caret, if it starts a line or follows a space. */
const typedName = /(?:^|\s)\/([^\s/]*)$/

function useSnippets(area: RefObject<HTMLTextAreaElement | null>, change: (text: string) => void) {
  const { snippets } = useSession().settings
  const id = useId()
  const [name, setName] = useState<string | null>(null)
  const [active, setActive] = useState(0)
  const found = name === null ? [] : snippets.filter((snippet) => snippet.name.toLowerCase().startsWith(name.toLowerCase()))
  const isOpen = found.length > 0 || (name === '' && snippets.length === 0)
  const follow = (): void => {
    const field = area.current
    const before = field?.value.slice(0, field.selectionStart) ?? ''
    setName(typedName.exec(before)?.[1] ?? null)
    setActive(0)
  }
  const insert = (snippet: Snippet | undefined): void => {
    const field = area.current
    if (field === null || name === null || snippet === undefined) return
    field.setRangeText(snippet.text, field.selectionStart - name.length - 1, field.selectionStart, 'end')
    change(field.value)
    setName(null)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isOpen || event.nativeEvent.isComposing) return
    const act: Readonly<Record<string, () => void>> = {
      Escape: () => setName(null),
      ArrowDown: () => setActive((active + 1) % Math.max(1, found.length)),
      ArrowUp: () => setActive((active + found.length - 1) % Math.max(1, found.length)),
      ...(found.length > 0 ? { Enter: () => insert(found[active]), Tab: () => insert(found[active]) } : {}),
    }
    if (act[event.key] === undefined || event.shiftKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    event.stopPropagation()
    act[event.key]?.()
  }
  const optionId = (index: number): string => `${id}-${index}`
  const listProps = isOpen && found.length > 0 ? { 'aria-controls': id, 'aria-activedescendant': optionId(active) } : {}
  return {
    id,
    found,
    active,
    isOpen,
    insert,
    optionId,
    fieldProps: { onKeyDown, onBlur: () => setName(null), onSelect: follow, ...listProps },
  }
}

function SnippetList({ id, found, active, insert, optionId }: ReturnType<typeof useSnippets>) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    // The field keeps the focus.
    <div ref={list} className="ui-popover snippets" onMouseDown={(event) => event.preventDefault()}>
      <p className="caption">{words.snippets.title}</p>
      <ul id={id} role={found.length === 0 ? undefined : 'listbox'} aria-label={words.snippets.title}>
        {found.length === 0 && <li>{words.snippets.none}</li>}
        {found.map((snippet, index) => (
          <li
            key={snippet.name}
            id={optionId(index)}
            role="option"
            aria-selected={index === active}
            className={index === active ? 'snippet snippet-active' : 'snippet'}
            onMouseDown={() => insert(snippet)}
          >
            <strong>/{snippet.name}</strong> <span>{snippet.text}</span>
          </li>
        ))}
      </ul>
      <p className="snippets-end caption">
        <span>{words.snippets.keys}</span>
        <LinkButton onPress={() => navigate('/settings')}>{words.snippets.manage}</LinkButton>
      </p>
      <span className="visually-hidden" role="status">
        {words.snippets.found({ count: found.length })}
      </span>
    </div>
  )
}
