import {
  Check as CheckIcon,
  CircleAlert,
  CircleHelp,
  History,
  MessageSquareDashed,
  ShieldAlert,
  type LucideIcon,
} from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import type { Note } from '#contract/model/note.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { statementNeeds, toCheck, type ToCheck } from '#domain/note-review.ts'
import { isEmptyNote } from '#domain/note-sections.ts'
import { PlayerAudio } from '#renderer/audio/player-bar.tsx'
import { usePlayer, type Player } from '#renderer/audio/use-player.ts'
import { closeBoxes } from '#renderer/bridge/closing.ts'
import { call, useCall } from '#renderer/bridge/use-bridge.ts'
import { noteWords as words } from '#renderer/strings/note.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { Spoken } from '#renderer/ui/spoken.tsx'
import type { Autosave, SaveState } from '../autosave.ts'
import { SaveNotice, useAutosave } from '../notices.tsx'
import { IconText, TitledSection } from '../parts.tsx'
import { playableId, useSession } from '../session-data.ts'
import { useShortcuts } from '#renderer/lib/shortcuts.ts'
import { useDictations } from './dictation.tsx'
import { EvidencePanel } from './evidence-panel.tsx'
import { DraftActions } from './no-note.tsx'
import { LastNote } from './last-note.tsx'
import { decisionsOf } from './note-items.ts'
import { rebased } from './note-rebase.ts'
import { EditedSections } from './note-section.tsx'
import { Check, PayerPanel } from './payer-panel.tsx'
import { SignDialog } from './sign-dialog.tsx'
import { NoteEditingContext, useFocusSelected, useNoteEditing, useOpenAt, type NoteEditing } from './use-note-editing.ts'

interface EditorProps {
  readonly note: Note
  /** The statement to open at. */
  readonly statementId: string | null
  readonly isOutdated: boolean
  readonly transcript: Transcript | null
  /** True if a draft can be written from a transcript, now or when it is ready. */
  readonly hasWords: boolean
  readonly onReload: () => Promise<Note | null>
  readonly trouble: ReactNode
}

export function NoteEditor({ note: stored, statementId, isOutdated, transcript, hasWords, onReload, trouble }: EditorProps) {
  const { id, recording, settings } = useSession()
  const last = useCall('notes.previous', { session_id: id }).data ?? null
  const { state, autosave } = useAutosave(stored, {
    save: ({ id, version, template, sections, omissions }) => call('notes.save', { id, version, template, sections, omissions }),
    newer: async () => (await call('notes.get', { session_id: id })).note,
    rebase: rebased,
    merge: (fresh, { template, sections, omissions }) => ({ ...fresh, template, sections, omissions }),
  })
  const note = state.record
  const player = usePlayer(playableId(recording))
  const editing = useNoteEditing({ note, transcript }, autosave, player)
  const [isSigning, setSigning] = useState(false)
  const left = toCheck(note)
  const obstacle = useObstacle(note)
  const save = (): Promise<Note | null> => {
    closeBoxes()
    return autosave.flush()
  }
  const sign = (): void => setSigning(obstacle !== bar.dictation && isReadyToSign(autosave))
  useNoteKeys(editing, player, sign, settings.single_key_shortcuts)
  useFocusSelected(editing.selected?.id ?? null, editing.editingId)
  useEffect(focusFirstField, [])
  useOpenAt(statementId, editing.select)
  const { selected } = editing
  const confirms = selected?.kind === 'statement' && statementNeeds(selected.statement) === 'safety'
  const goOn = (): void => (confirms ? editing.confirm(selected.id) : editing.next())
  const reload = (): void => void onReload().then((fresh) => fresh !== null && autosave.replace(fresh))
  return (
    <NoteEditingContext value={editing}>
      <div className="note">
        <PlayerAudio player={player} />
        <div className="note-columns">
          <div className="note-main" data-region tabIndex={-1}>
            <div className="note-notices">
              {trouble}
              <SaveNotice save={state.save} words={words.save} onReload={reload} onRetry={() => void autosave.flush()} />
            </div>
            <DraftActions note={note} isOutdated={isOutdated} hasWords={hasWords} beforeDraft={save} />
            <EditedSections template={note.template} />
            <NoteRemarks note={note} onTakeBack={editing.takeBack} />
            <PayerPanel />
          </div>
          <EvidencePanel note={note} item={editing.selected} transcript={transcript} player={player}>
            {last !== null && <LastNote {...last} into={note} />}
          </EvidencePanel>
        </div>
        <SignBar left={left} save={state.save} obstacle={obstacle} confirms={confirms} onNext={goOn} onSign={sign} />
        <SignDialog
          isOpen={isSigning}
          isOutdated={isOutdated}
          onClose={() => setSigning(false)}
          flush={() => autosave.flush()}
          onReload={reload}
        />
      </div>
    </NoteEditingContext>
  )
}

function isReadyToSign(autosave: Autosave<Note>): boolean {
  const unfinished = closeBoxes()
  unfinished?.focus()
  const { record } = autosave.getState()
  return unfinished === null && toCheck(record).total === 0 && !isEmptyNote(record)
}

function useNoteKeys(editing: NoteEditing, player: Player, sign: () => void, singleKeys: boolean): void {
  const { selected } = editing
  const decide = (at: 0 | 1): void => {
    const decision = selected === null ? undefined : decisionsOf(selected)[at]
    if (selected !== null && decision !== undefined) editing[decision](selected.id)
  }
  useShortcuts(
    {
      ArrowDown: () => editing.move(1),
      ArrowUp: () => editing.move(-1),
      n: editing.next,
      p: () => (player.isPlaying ? player.pause() : selected !== null && editing.play(selected.id)),
      c: () => decide(0),
      l: () => decide(1),
      Enter: () => selected?.kind === 'statement' && editing.startEdit(selected.id),
      'Mod+Enter': sign,
    },
    singleKeys,
  )
}

/** After `Type the note` its button is gone and nothing has the focus. */
function focusFirstField(): void {
  if (document.activeElement === document.body) document.querySelector<HTMLElement>('.typed-field textarea')?.focus()
}

function NoteRemarks({ note, onTakeBack }: { readonly note: Note; readonly onTakeBack: (omissionId: string) => void }) {
  const leftOut = note.omissions.filter((omission) => omission.decision === 'left_out')
  if (note.checks.length === 0 && note.unsupported.length === 0 && leftOut.length === 0) return null
  return (
    <div className="note-remarks">
      {note.checks.length > 0 && (
        <TitledSection look="note-section" title={words.checks}>
          <ul>
            {note.checks.map((check) => (
              <Check key={`${check.code} ${check.message}`} {...check} />
            ))}
          </ul>
        </TitledSection>
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

const bar = words.bar

function useObstacle(note: Note): string | null {
  const isDictated = (useDictations()?.waiting.length ?? 0) > 0
  if (isDictated) return bar.dictation
  return isEmptyNote(note) ? bar.empty : null
}

interface BarProps {
  readonly left: ToCheck
  readonly save: SaveState
  /** What must be done before signing, apart from what is left to review. */
  readonly obstacle: string | null
  /** The statement beside its source is confirmed before the next one is shown. */
  readonly confirms: boolean
  readonly onNext: () => void
  readonly onSign: () => void
}

function SignBar({ left, save, obstacle, confirms, onNext, onSign }: BarProps) {
  const isReady = left.total === 0 && obstacle === null
  const counts: readonly (readonly [number, LucideIcon, string])[] = [
    [left.safety, ShieldAlert, bar.safety({ count: left.safety })],
    [left.source, CircleAlert, bar.source({ count: left.source })],
    [left.doubt, CircleHelp, bar.doubt({ count: left.doubt })],
    [left.carried, History, bar.carried({ count: left.carried })],
    [left.omission, MessageSquareDashed, bar.omission({ count: left.omission })],
  ]
  return (
    <footer className="sign-bar" aria-label={bar.title} data-region>
      <strong>{bar.title}</strong>
      <ul className="sign-counts">
        {counts
          .filter(([count]) => count > 0)
          .map(([, Icon, text]) => (
            <IconText as="li" key={text} icon={Icon} text={text} />
          ))}
        {isReady && <IconText as="li" className="sign-ready" icon={CheckIcon} text={bar.ready} />}
        {obstacle !== null && <li>{obstacle}</li>}
      </ul>
      <span className="sign-saved caption" role="status">
        {save === 'still' || save === 'changed' || save === 'saving' ? words.save[save] : ''}
      </span>
      <Button size="large" variant={isReady ? 'filled' : 'outlined'} isDisabled={!isReady} onPress={onSign} label={bar.sign} />
      {left.total > 0 && !confirms && <Button size="large" variant="filled" shortcut="N" onPress={onNext} label={bar.next} />}
      {confirms && (
        <Button
          size="large"
          variant="filled"
          shortcut="C"
          onPress={onNext}
          label={left.total > 1 ? bar.confirmNext : bar.confirmLast}
        />
      )}
    </footer>
  )
}
