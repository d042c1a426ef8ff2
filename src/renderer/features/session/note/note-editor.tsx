import { useEffect, useState, type ReactNode } from 'react'
import { toCheck } from '#domain/note-review.ts'
import type { Note } from '#contract/model/note.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { call } from '#renderer/bridge/use-bridge.ts'
import { noteWords as words } from '#renderer/strings/note.ts'
import { PlayerAudio } from '#renderer/audio/player-bar.tsx'
import { SaveNotice } from '../save-notice.tsx'
import { playableId, type SessionData } from '../session-data.ts'
import { useShortcuts } from '../shortcuts.ts'
import { useAutosave } from '../use-autosave.ts'
import { usePlayer, type Player } from '#renderer/audio/use-player.ts'
import { DraftActions } from './draft-actions.tsx'
import { EvidencePanel } from './evidence-panel.tsx'
import { NoteRemarks } from './note-remarks.tsx'
import { PayerPanel } from './payer-panel.tsx'
import { NoteSectionView } from './note-section.tsx'
import { SignBar } from './sign-bar.tsx'
import { SignDialog } from './sign-dialog.tsx'
import { useNoteEditing, type NoteEditing } from './use-note-editing.ts'

interface EditorProps {
  readonly data: SessionData
  readonly note: Note
  readonly transcript: Transcript | null
  readonly onReload: () => Promise<Note | null>
  /** Why a newer draft did not come. */
  readonly trouble: ReactNode
}

/** See that each sentence is true, then sign. */
export function NoteEditor({ data, note: stored, transcript, onReload, trouble }: EditorProps) {
  const { state, autosave } = useStoredNote(stored)
  const note = state.record
  const player = usePlayer(playableId(data.recording))
  const editing = useNoteEditing(note, autosave, player)
  const [isSigning, setSigning] = useState(false)
  const left = toCheck(note)
  const { selected } = editing
  const canSign = left.total === 0 && note.sections.some((section) => section.statements.length > 0)
  useNoteKeys(
    editing,
    player,
    () => {
      if (canSign) setSigning(true)
    },
    data.settings.single_key_shortcuts,
  )
  useFocusSelected(selected?.id ?? null, editing.editingId)
  const reload = (): void => void onReload().then((fresh) => fresh !== null && autosave.replace(fresh))
  return (
    <div className="note">
      <DraftActions data={data} note={note} onAdd={editing.startAdd} beforeDraft={() => autosave.flush()} />
      <PlayerAudio player={player} />
      <div className="note-columns">
        <div className="note-main" data-region tabIndex={-1}>
          <div className="note-notices">
            {trouble}
            <SaveNotice save={state.save} words={words.save} onReload={reload} onRetry={() => void autosave.flush()} />
          </div>
          <Sections note={note} editing={editing} player={player} />
          <NoteRemarks note={note} onTakeBack={editing.takeBack} />
          <PayerPanel data={data} />
        </div>
        <EvidencePanel
          {...{ note, transcript, player, data }}
          item={selected}
          onEdit={editing.startEdit}
          onRemove={editing.remove}
        />
      </div>
      <SignBar
        left={left}
        save={state.save}
        isEmpty={note.sections.every((section) => section.statements.length === 0)}
        onNext={editing.next}
        onSign={() => setSigning(true)}
      />
      <SignDialog
        data={data}
        isOpen={isSigning}
        onClose={() => setSigning(false)}
        flush={() => autosave.flush()}
        onReload={reload}
      />
    </div>
  )
}

function useStoredNote(stored: Note) {
  return useAutosave(stored, {
    save: ({ id, version, sections, omissions }) => call('notes.save', { id, version, sections, omissions }),
    merge: (fresh, local) => ({ ...fresh, sections: local.sections, omissions: local.omissions }),
  })
}

function Sections({ note, editing, player }: { readonly note: Note; readonly editing: NoteEditing; readonly player: Player }) {
  return editing.sections.map((section) => (
    <NoteSectionView key={section.section.key} page={section} editing={editing} player={player} allSections={note.sections} />
  ))
}

function useNoteKeys(editing: NoteEditing, player: Player, sign: () => void, singleKeys: boolean): void {
  const { selected } = editing
  useShortcuts(
    {
      ArrowDown: () => editing.move(1),
      ArrowUp: () => editing.move(-1),
      n: editing.next,
      p: () => (player.isPlaying ? player.pause() : selected !== null && editing.play(selected.id)),
      c: () => selected?.kind === 'statement' && selected.statement.safety && editing.confirm(selected.id),
      Enter: () => selected?.kind === 'statement' && editing.startEdit(selected.id),
      'Mod+Enter': sign,
    },
    singleKeys,
  )
}

/** The chosen statement is in sight and has the focus, unless somebody is typing or at another control. */
function useFocusSelected(id: string | null, editingId: string | null): void {
  useEffect(() => {
    if (id === null || editingId !== null) return
    const row = document.querySelector<HTMLElement>(`[data-note-item="${CSS.escape(id)}"]`)
    row?.scrollIntoView({ block: 'nearest' })
    const active = document.activeElement
    const isFree =
      active === null ||
      active === document.body ||
      active.matches('main, [data-region]') ||
      active.closest('.note-main') !== null
    const isThere = active?.closest('[data-note-item]')?.getAttribute('data-note-item') === id
    if (isFree && !isThere) row?.querySelector<HTMLElement>('.statement-text')?.focus({ preventScroll: true })
  }, [id, editingId])
}
