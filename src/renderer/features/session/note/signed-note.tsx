import { Check, CircleAlert, Download, PenLine, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { isAbsence, isCarried } from '#domain/note-review.ts'
import type { MethodOutput } from '#contract/bridge/methods.ts'
import type { Note, NoteSection, Statement } from '#contract/model/note.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { PlayerAudio } from '#renderer/audio/player-bar.tsx'
import { useUnsentText } from '#renderer/bridge/unsent-text.ts'
import { call, copyText, download, useAction } from '#renderer/bridge/use-bridge.ts'
import { noteWords as words } from '#renderer/strings/note.ts'
import { formatClock, formatDate } from '#renderer/strings/time.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Chip } from '#renderer/ui/chip.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Menu } from '#renderer/ui/menu.tsx'
import { Notice } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { LocalForm } from '../parts.tsx'
import { useSession, useSessionPlayer } from '../session-data.ts'
import { HeadActions } from '../session-head.tsx'
import { useShortcuts } from '#renderer/lib/shortcuts.ts'
import { firstMoment } from './evidence-moments.ts'
import { LeftDictations } from './dictation.tsx'
import { EvidenceLink, EvidencePanel } from './evidence-panel.tsx'
import { neighbour, pageSections } from './note-items.ts'
import { NoteHistory } from './note-history.tsx'
import { SectionItems } from './note-section.tsx'
import { useFocusSelected, useOpenAt } from './use-note-editing.ts'

type SignedProps = Readonly<{ note: Note; transcript: Transcript | null; statementId: string | null }>

export function SignedNote({ note, transcript, statementId }: SignedProps) {
  const { settings } = useSession()
  const player = useSessionPlayer(true)
  const [selectedId, setSelected] = useState<string | null>(null)
  useOpenAt(statementId, setSelected)
  useFocusSelected(selectedId)
  const sections = useMemo(() => pageSections({ sections: note.sections, omissions: [] }), [note])
  const items = sections.flatMap((section) => section.items)
  const selected = items.find((item) => item.id === selectedId) ?? null
  const show = (statement: Statement): void => {
    const moment = firstMoment(statement.evidence)
    setSelected(statement.id)
    if (moment !== null) player.playFrom(moment.start_ms, moment.end_ms)
  }
  useShortcuts(
    {
      ArrowDown: () => setSelected(neighbour(items, selectedId, 1)?.id ?? null),
      ArrowUp: () => setSelected(neighbour(items, selectedId, -1)?.id ?? null),
      p: () => (player.isPlaying ? player.pause() : selected?.kind === 'statement' && show(selected.statement)),
    },
    settings.single_key_shortcuts,
  )
  return (
    <div className="note">
      <SignedActions note={note} />
      <PlayerAudio player={player} />
      <div className="note-columns">
        <div className="note-main note-signed" data-region tabIndex={-1}>
          <LeftDictations />
          {sections.map((page) => (
            <SectionItems
              key={page.section.key}
              page={page}
              isSigned
              row={(item) =>
                item.kind === 'statement' && (
                  <SignedStatement
                    key={item.id}
                    statement={item.statement}
                    isSelected={item.id === selectedId}
                    onShow={() => show(item.statement)}
                  />
                )
              }
            />
          ))}
          <SignatureBlock note={note} />
          <Addenda key={note.id} note={note} />
        </div>
        <EvidencePanel note={note} item={selected} transcript={transcript} player={player} />
      </div>
    </div>
  )
}

interface SignedStatementProps {
  readonly statement: Statement
  readonly isSelected: boolean
  readonly onShow: () => void
}

function SignedStatement({ statement, isSelected, onShow }: SignedStatementProps) {
  return (
    <li className={isSelected ? 'statement statement-selected' : 'statement'} data-note-item={statement.id}>
      <div className="statement-line">
        <p tabIndex={-1} className={isAbsence(statement) ? 'statement-text statement-not-assessed' : 'statement-text'}>
          {statement.text}
        </p>
        {isCarried(statement) ? (
          <span className="carried-chip">{statement.doubt}</span>
        ) : (
          <EvidenceLink statement={statement} isSelected={isSelected} onShow={onShow} />
        )}
      </div>
    </li>
  )
}

type Exported = MethodOutput<'exports.note'>

function SignedActions({ note }: { readonly note: Note }) {
  const toast = useToast()
  const [incomplete, setIncomplete] = useState<Exported | null>(null)
  const save = (ticket: Exported): void => {
    setIncomplete(null)
    download(ticket)
    toast({ text: words.exported, kind: 'told' })
  }
  const write = async (format: 'pdf' | 'docx' | 'txt'): Promise<void> => {
    try {
      const ticket = await call('exports.note', { id: note.id, format })
      return ticket.unprintable.length > 0 ? setIncomplete(ticket) : save(ticket)
    } catch {
      setIncomplete(null)
      toast({ text: words.exportFailed, kind: 'told' })
    }
  }
  const copy = async (section?: NoteSection): Promise<void> => {
    try {
      const { text } = await call('exports.noteText', { id: note.id, ...(section && { section_key: section.key }) })
      const seconds = await copyText(text)
      const copied = section === undefined ? words.copied : words.sectionCopied({ title: section.title })
      toast({ text: seconds === null ? copied : words.copiedFor({ seconds }) })
    } catch {
      toast({ text: words.copyFailed, kind: 'told' })
    }
  }
  return (
    <HeadActions>
      <Chip tone="kept" icon={Check}>
        {note.addenda.length > 0 ? words.amendedChip : words.signedChip}
      </Chip>
      <NoteHistory note={note} />
      <Menu
        label={words.export}
        trigger={<Button icon={Download} label={words.export} />}
        entries={[
          ...(['pdf', 'docx', 'txt'] as const).map((id) => ({ id, label: words.exports[id], onAction: () => void write(id) })),
          { id: 'text', label: words.exports.text, startsGroup: true, onAction: () => void copy() },
          ...note.sections.map((section) => ({
            id: `copy-${section.key}`,
            label: words.exports.section({ title: section.title }),
            onAction: () => void copy(section),
          })),
        ]}
      />
      {incomplete !== null && (
        <Dialog
          title={words.unprintable.title}
          lead={words.unprintable.lead({ characters: incomplete.unprintable.join(' ') })}
          onClose={() => setIncomplete(null)}
          actions={[
            <Button key="pdf" onPress={() => save(incomplete)} label={words.unprintable.pdf} />,
            <Button key="docx" variant="filled" onPress={() => void write('docx')} label={words.unprintable.docx} />,
          ]}
        />
      )}
    </HeadActions>
  )
}

const signedWords = words.signed

function SignatureBlock({ note }: { readonly note: Note }) {
  const verify = useAction('notes.verify')
  const { signature } = note
  if (signature === null) return null
  const isIntact = verify.data?.intact
  const verdict = isIntact === undefined ? '' : isIntact ? signedWords.intact : signedWords.broken
  return (
    <section className="signature ui-card" aria-label={signedWords.by({ name: signature.by, credential: signature.credential })}>
      <p className="signature-by">
        <PenLine aria-hidden />
        <strong>{signedWords.by({ name: signature.by, credential: signature.credential })}</strong>
        <span className="muted tabular">
          {signedWords.at({ day: formatDate(signature.at), time: formatClock(signature.at) })}
        </span>
      </p>
      <dl className="signature-hash">
        <dt className="caption">{signedWords.hash}</dt>
        <dd className="tabular">{signature.content_hash}</dd>
      </dl>
      <div className="signature-check">
        <Button
          size="row"
          busy={verify.isPending ? signedWords.verifying : undefined}
          onPress={() => verify.mutate({ id: note.id })}
          label={signedWords.verify}
        />
        <p role="status" className={isIntact ? 'signature-intact' : 'signature-broken'}>
          {isIntact !== undefined && (isIntact ? <Check aria-hidden /> : <CircleAlert aria-hidden />)}
          {verify.error === null ? verdict : signedWords.verifyFailed}
        </p>
      </div>
    </section>
  )
}

function Addenda({ note }: { readonly note: Note }) {
  const text = useUnsentText(`addendum of ${note.id}`)
  const reason = useUnsentText(`reason of addendum of ${note.id}`)
  const [form, setForm] = useState<'closed' | 'opened' | 'restored'>(text[0] + reason[0] === '' ? 'closed' : 'restored')
  const close = (): void => {
    text[1]('')
    reason[1]('')
    setForm('closed')
  }
  return (
    <section className="addenda" aria-labelledby="addenda-title">
      {note.addenda.length > 0 && (
        <h2 id="addenda-title" className="note-section-title">
          {signedWords.addenda}
        </h2>
      )}
      {note.addenda.map((addendum) => (
        <article key={addendum.id} className="addendum">
          <p className="addendum-text">{addendum.text}</p>
          <p className="muted">{signedWords.reason({ reason: addendum.reason })}</p>
          <p className="caption tabular">
            {addendum.by}, {signedWords.at({ day: formatDate(addendum.at), time: formatClock(addendum.at) })}
          </p>
        </article>
      ))}
      {form !== 'closed' ? (
        <AddendumForm noteId={note.id} text={text} reason={reason} autoFocus={form === 'opened'} onDone={close} />
      ) : (
        <div>
          <Button icon={Plus} onPress={() => setForm('opened')} label={signedWords.addAddendum} />
        </div>
      )}
    </section>
  )
}

type Typed = ReturnType<typeof useUnsentText>

interface AddendumFormProps {
  readonly noteId: string
  readonly text: Typed
  readonly reason: Typed
  /** False if the form reappears because its tab was opened again: the focus then stays on the tab. */
  readonly autoFocus: boolean
  readonly onDone: () => void
}

function AddendumForm({ noteId, text: [text, setText], reason: [reason, setReason], autoFocus, onDone }: AddendumFormProps) {
  const add = useAction('notes.addAddendum')
  const isReady = text.trim() !== '' && reason.trim() !== ''
  const submit = (): void => {
    if (!isReady) return
    // A callback passed to `mutate` would not run if this form is unmounted before the answer.
    void add.mutateAsync({ id: noteId, text: text.trim(), reason: reason.trim() }).then(onDone, () => undefined)
  }
  return (
    <LocalForm className="addendum-form ui-card" onSubmit={submit}>
      <TextField
        label={signedWords.addendumText}
        value={text}
        onChange={setText}
        isMultiline
        rows={3}
        maxLength={4000}
        autoFocus={autoFocus}
      />
      <TextField
        label={signedWords.addendumReason}
        help={signedWords.addendumHelp}
        value={reason}
        onChange={setReason}
        maxLength={4000}
      />
      {add.error !== null && <Notice tone="stopped" title={signedWords.addendumFailed} />}
      <div className="addendum-buttons">
        <Button
          type="submit"
          variant="filled"
          isDisabled={!isReady}
          reason={signedWords.addendumEmpty}
          busy={add.isPending ? signedWords.addendumKeeping : undefined}
          label={signedWords.addendumKeep}
        />
        <Button variant="quiet" onPress={onDone} label={words.cancel} />
      </div>
    </LocalForm>
  )
}
