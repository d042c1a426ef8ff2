import { Check, Download, CircleAlert, PenLine, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { isAbsence } from '#domain/note-review.ts'
import type { Note, Statement } from '#contract/model/note.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { call, useAction, copyText, download } from '#renderer/bridge/use-bridge.ts'
import { useUnsentText } from '#renderer/bridge/unsent-text.ts'
import { noteWords as words, noteWords } from '#renderer/strings/note.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Chip } from '#renderer/ui/chip.tsx'
import { Menu } from '#renderer/ui/menu.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { PlayerAudio } from '#renderer/audio/waveform.tsx'
import { usePlayer } from '#renderer/audio/use-player.ts'
import { formatClock, formatDate } from '#renderer/strings/time.ts'
import { TextField } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/page.tsx'
import { HeadActions } from '../session-head.tsx'
import { playableId, type SessionData } from '../session-data.ts'
import { useShortcuts } from '../shortcuts.ts'
import { firstMoment } from './evidence-moments.ts'
import { EvidencePanel, EvidenceLink } from './evidence-panel.tsx'
import { NotAssessedGrid } from './not-assessed.tsx'
import { neighbour, pageSections, stretches } from './note-items.ts'

interface SignedProps {
  readonly data: SessionData
  readonly note: Note
  readonly transcript: Transcript | null
}

export function SignedNote({ data, note, transcript }: SignedProps) {
  const player = usePlayer(playableId(data.recording))
  const [selectedId, setSelected] = useState<string | null>(null)
  const sections = useMemo(() => pageSections({ sections: note.sections, omissions: [] }, note.template), [note])
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
    data.settings.single_key_shortcuts,
  )
  return (
    <div className="note">
      <SignedActions note={note} />
      <PlayerAudio player={player} />
      <div className="note-columns">
        <div className="note-main note-signed" data-region tabIndex={-1}>
          {sections.map(({ section, items: own }) => (
            <section key={section.key} className="note-section" aria-labelledby={`section-${section.key}`}>
              <h2 id={`section-${section.key}`} className="note-section-title">
                {section.title}
              </h2>
              {own.length === 0 && <p className="note-empty">{words.emptySection}</p>}
              {stretches(own, true).map((stretch) =>
                stretch.kind === 'not_assessed' ? (
                  <NotAssessedGrid key={`not-assessed-${stretch.items[0]?.id ?? ''}`} items={stretch.items} editing={null} />
                ) : (
                  <ul key={stretch.items[0]?.id} className="statements">
                    {stretch.items.map((item) =>
                      item.kind === 'statement' ? (
                        <SignedStatement
                          key={item.id}
                          statement={item.statement}
                          isSelected={item.id === selectedId}
                          onShow={() => show(item.statement)}
                        />
                      ) : null,
                    )}
                  </ul>
                ),
              )}
            </section>
          ))}
          <SignatureBlock note={note} />
          <Addenda key={note.id} note={note} />
        </div>
        <EvidencePanel note={note} item={selected} transcript={transcript} player={player} data={data} />
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
        <p className={isAbsence(statement) ? 'statement-text statement-not-assessed' : 'statement-text'}>{statement.text}</p>
        <EvidenceLink statement={statement} isSelected={isSelected} onShow={onShow} />
      </div>
    </li>
  )
}

function SignedActions({ note }: { readonly note: Note }) {
  const toast = useToast()
  const save = async (format: 'pdf' | 'docx'): Promise<void> => {
    try {
      download(await call('exports.note', { id: note.id, format }))
      toast({ text: words.exported, kind: 'told' })
    } catch {
      toast({ text: words.exportFailed, kind: 'told' })
    }
  }
  const copy = async (): Promise<void> => {
    try {
      const { text } = await call('exports.noteText', { id: note.id })
      const seconds = await copyText(text)
      toast({ text: seconds === null ? words.copied : words.copiedFor({ seconds }) })
    } catch {
      toast({ text: words.copyFailed, kind: 'told' })
    }
  }
  return (
    <HeadActions>
      <Chip tone="kept" icon={Check}>
        {note.addenda.length > 0 ? words.amendedChip : words.signedChip}
      </Chip>
      <Menu
        label={words.export}
        trigger={<Button icon={Download}>{words.export}</Button>}
        entries={[
          { id: 'pdf', label: words.exports.pdf, onAction: () => void save('pdf') },
          { id: 'docx', label: words.exports.docx, onAction: () => void save('docx') },
          { id: 'text', label: words.exports.text, startsGroup: true, onAction: () => void copy() },
        ]}
      />
    </HeadActions>
  )
}

const signatureBlockWords = noteWords.signed

function SignatureBlock({ note }: { readonly note: Note }) {
  const verify = useAction('notes.verify')
  const { signature } = note
  if (signature === null) return null
  return (
    <section
      className="signature ui-card"
      aria-label={signatureBlockWords.by({ name: signature.by, credential: signature.credential })}
    >
      <p className="signature-by">
        <PenLine aria-hidden />
        <strong>{signatureBlockWords.by({ name: signature.by, credential: signature.credential })}</strong>
        <span className="muted tabular">
          {signatureBlockWords.at({ day: formatDate(signature.at), time: formatClock(signature.at) })}
        </span>
      </p>
      <dl className="signature-hash">
        <dt className="caption">{signatureBlockWords.hash}</dt>
        <dd className="tabular">{signature.content_hash}</dd>
      </dl>
      <div className="signature-check">
        <Button
          size="row"
          busy={verify.isPending ? signatureBlockWords.verifying : undefined}
          onPress={() => verify.mutate({ id: note.id })}
        >
          {signatureBlockWords.verify}
        </Button>
        <p role="status" className={verify.data?.intact === true ? 'signature-intact' : 'signature-broken'}>
          {verify.data !== undefined && (verify.data.intact ? <Check aria-hidden /> : <CircleAlert aria-hidden />)}
          {verify.error !== null
            ? signatureBlockWords.verifyFailed
            : verify.data === undefined
              ? ''
              : verify.data.intact
                ? signatureBlockWords.intact
                : signatureBlockWords.broken}
        </p>
      </div>
    </section>
  )
}

const addendaWords = noteWords.signed

function Addenda({ note }: { readonly note: Note }) {
  const typed = useTypedAddendum(note.id)
  const [form, setForm] = useState<'closed' | 'opened' | 'restored'>(
    typed.text === '' && typed.reason === '' ? 'closed' : 'restored',
  )
  const close = (): void => {
    typed.setText('')
    typed.setReason('')
    setForm('closed')
  }
  return (
    <section className="addenda" aria-labelledby="addenda-title">
      {note.addenda.length > 0 && (
        <h2 id="addenda-title" className="note-section-title">
          {addendaWords.addenda}
        </h2>
      )}
      {note.addenda.map((addendum) => (
        <article key={addendum.id} className="addendum">
          <p className="addendum-text">{addendum.text}</p>
          <p className="muted">{addendaWords.reason({ reason: addendum.reason })}</p>
          <p className="caption tabular">
            {addendum.by}, {addendaWords.at({ day: formatDate(addendum.at), time: formatClock(addendum.at) })}
          </p>
        </article>
      ))}
      {form !== 'closed' ? (
        <AddendumForm noteId={note.id} typed={typed} autoFocus={form === 'opened'} onDone={close} />
      ) : (
        <div>
          <Button icon={Plus} onPress={() => setForm('opened')}>
            {addendaWords.addAddendum}
          </Button>
        </div>
      )}
    </section>
  )
}

function useTypedAddendum(noteId: string) {
  const [text, setText] = useUnsentText(`addendum of ${noteId}`)
  const [reason, setReason] = useUnsentText(`reason of addendum of ${noteId}`)
  return { text, setText, reason, setReason }
}

interface AddendumFormProps {
  readonly noteId: string
  readonly typed: ReturnType<typeof useTypedAddendum>
  /** False if the form reappears because its tab was opened again: the focus then stays on the tab. */
  readonly autoFocus: boolean
  readonly onDone: () => void
}

function AddendumForm({ noteId, typed, autoFocus, onDone }: AddendumFormProps) {
  const { text, setText, reason, setReason } = typed
  const add = useAction('notes.addAddendum')
  const isReady = text.trim() !== '' && reason.trim() !== ''
  return (
    <form
      className="addendum-form ui-card"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReady) return
        // Not a callback of `mutate`, which is dropped when this form goes away before the answer.
        void add.mutateAsync({ id: noteId, text: text.trim(), reason: reason.trim() }).then(onDone, () => undefined)
      }}
    >
      <TextField
        label={addendaWords.addendumText}
        value={text}
        onChange={setText}
        isMultiline
        rows={3}
        maxLength={4000}
        autoFocus={autoFocus}
      />
      <TextField
        label={addendaWords.addendumReason}
        help={addendaWords.addendumHelp}
        value={reason}
        onChange={setReason}
        maxLength={4000}
      />
      {add.error !== null && <Notice tone="stopped" title={addendaWords.addendumFailed} />}
      <div className="addendum-buttons">
        <Button
          type="submit"
          variant="filled"
          isDisabled={!isReady}
          reason={addendaWords.addendumEmpty}
          busy={add.isPending ? addendaWords.addendumKeeping : undefined}
        >
          {addendaWords.addendumKeep}
        </Button>
        <Button variant="quiet" onPress={onDone}>
          {noteWords.cancel}
        </Button>
      </div>
    </form>
  )
}
