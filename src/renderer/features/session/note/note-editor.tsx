import { useEffect, useState, type ReactNode } from 'react'
import { CircleAlert, Info, Check, CircleHelp, MessageSquareDashed, ShieldAlert, type LucideIcon } from 'lucide-react'
import { toCheck, type ToCheck } from '#domain/note-review.ts'
import type { Note } from '#contract/model/note.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { call } from '#renderer/bridge/use-bridge.ts'
import { noteWords as words, noteWords } from '#renderer/strings/note.ts'
import { PlayerAudio } from '#renderer/audio/waveform.tsx'
import { usePlayer, type Player } from '#renderer/audio/use-player.ts'
import { LinkButton, Button } from '#renderer/ui/button.tsx'
import { Spoken } from '#renderer/ui/spoken.tsx'
import { SaveNotice, useAutosave } from '../notices.tsx'
import { playableId, type SessionData } from '../session-data.ts'
import { useShortcuts } from '../shortcuts.ts'
import { DraftActions, SignDialog } from './note-actions.tsx'
import { EvidencePanel } from './evidence-panel.tsx'
import { PayerPanel } from './payer-panel.tsx'
import { NoteSectionView } from './note-section.tsx'
import { useNoteEditing, type NoteEditing } from './use-note-editing.ts'
import type { SaveState } from '../autosave.ts'

interface EditorProps {
  readonly data: SessionData
  readonly note: Note
  readonly transcript: Transcript | null
  readonly onReload: () => Promise<Note | null>
  readonly trouble: ReactNode
}

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

/** Outside editing, scrolls to the selected statement and focuses it, unless a control outside the note has the focus. */
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

function NoteRemarks({ note, onTakeBack }: { readonly note: Note; readonly onTakeBack: (omissionId: string) => void }) {
  const leftOut = note.omissions.filter((omission) => omission.decision === 'left_out')
  if (note.checks.length === 0 && note.unsupported.length === 0 && leftOut.length === 0) return null
  return (
    <div className="note-remarks">
      {note.checks.length > 0 && (
        <section aria-labelledby="note-checks">
          <h2 id="note-checks" className="note-section-title">
            {words.checks}
          </h2>
          <ul>
            {note.checks.map((check) => (
              <li key={`${check.code} ${check.message}`} className={`note-check note-check-${check.severity}`}>
                {check.severity === 'needs_you' ? <CircleAlert aria-hidden /> : <Info aria-hidden />}
                {check.message}
              </li>
            ))}
          </ul>
        </section>
      )}
      {leftOut.length > 0 && (
        <details className="note-unsupported">
          <summary>{words.leftOut({ count: leftOut.length })}</summary>
          <ul>
            {leftOut.map((omission) => (
              <li key={omission.id}>
                <Spoken size="small">“{omission.evidence[0]?.quote ?? omission.text}”</Spoken>{' '}
                <LinkButton onPress={() => onTakeBack(omission.id)}>{words.takeBack}</LinkButton>
              </li>
            ))}
          </ul>
        </details>
      )}
      {note.unsupported.length > 0 && (
        <details className="note-unsupported">
          <summary>{words.unsupported}</summary>
          <ul>
            {note.unsupported.map((entry) => (
              <li key={`${entry.text} ${entry.reason}`}>
                {entry.text} <span className="muted">{entry.reason}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

const signBarWords = noteWords.bar

interface BarProps {
  readonly left: ToCheck
  readonly save: SaveState
  readonly isEmpty: boolean
  readonly onNext: () => void
  readonly onSign: () => void
}

function SignBar({ left, save, isEmpty, onNext, onSign }: BarProps) {
  const isReady = left.total === 0 && !isEmpty
  const counts: readonly (readonly [number, LucideIcon, string])[] = [
    [left.safety, ShieldAlert, signBarWords.safety({ count: left.safety })],
    [left.source, CircleAlert, signBarWords.source({ count: left.source })],
    [left.doubt, CircleHelp, signBarWords.doubt({ count: left.doubt })],
    [left.omission, MessageSquareDashed, signBarWords.omission({ count: left.omission })],
  ]
  return (
    <footer className="sign-bar" aria-label={signBarWords.title} data-region>
      <strong>{signBarWords.title}</strong>
      <ul className="sign-counts">
        {counts
          .filter(([count]) => count > 0)
          .map(([, Icon, text]) => (
            <li key={text}>
              <Icon aria-hidden />
              {text}
            </li>
          ))}
        {isReady && (
          <li className="sign-ready">
            <Check aria-hidden />
            {signBarWords.ready}
          </li>
        )}
        {isEmpty && <li>{signBarWords.empty}</li>}
      </ul>
      <span className="sign-saved caption" role="status">
        {save === 'still' || save === 'changed' || save === 'saving' ? noteWords.save[save] : ''}
      </span>
      <Button size="large" variant={isReady ? 'filled' : 'outlined'} isDisabled={!isReady} onPress={onSign}>
        {signBarWords.sign}
      </Button>
      {left.total > 0 && (
        <Button size="large" variant="filled" shortcut="N" onPress={onNext}>
          {signBarWords.next}
        </Button>
      )}
    </footer>
  )
}
