import { Ellipsis, FilePenLine, FileText, Keyboard, RotateCw } from 'lucide-react'
import { useState } from 'react'
import type { Work } from '#contract/bridge/sessions.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import { isErrorCode } from '#contract/errors.ts'
import type { Note } from '#contract/model/note.ts'
import type { Template } from '#contract/model/template.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { unknownVoices } from '#domain/speaker-roles.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { useName } from '#renderer/lib/names.ts'
import { placesOf } from '#renderer/lib/places.ts'
import { navigate, sessionPath, settingsPath } from '#renderer/lib/routes.ts'
import { useIsLost } from '#renderer/sessions/lost-parts.ts'
import { useNoteForms } from '#renderer/sessions/note-forms.ts'
import { writerWords } from '#renderer/strings/engines.ts'
import { errorSentences } from '#renderer/strings/errors.ts'
import { noteWords } from '#renderer/strings/note.ts'
import { lostWords } from '#renderer/strings/recovery.ts'
import { Button, IconButton, LinkButton } from '#renderer/ui/button.tsx'
import { Chip } from '#renderer/ui/chip.tsx'
import { ConfirmDialog } from '#renderer/ui/dialog.tsx'
import { SelectField } from '#renderer/ui/field.tsx'
import { Menu } from '#renderer/ui/menu.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { Writing } from '../parts.tsx'
import { ConsentNeeded } from '../notices.tsx'
import { isWorking, useSession, useWorkProgress } from '../session-data.ts'
import { HeadActions } from '../session-head.tsx'
import { NoteHistory } from './note-history.tsx'
import { useEditing } from './use-note-editing.ts'

const words = noteWords.none
const draftWords = writerWords.draft

interface NoNoteProps {
  readonly work: Work
  readonly transcript: Transcript | null
  readonly hasWords: boolean
}

export function NoNote({ work: stored, transcript, hasWords }: NoNoteProps) {
  const { id, row, settings } = useSession()
  const work = useWorkProgress(id, 'draft', stored)
  const [template, setTemplate] = useState<Template>(settings.default_template)
  const forms = useNoteForms()
  const draft = useAction('notes.draft')
  const start = useAction('notes.start')
  const isLost = useIsLost(id, 'note')
  if (isWorking(work)) return <DraftWriting work={work} />
  const mayDraft = hasWords && !row.consent.missing.some(({ scopes }) => scopes.includes('draft'))
  const voiceless = transcript === null ? 0 : unknownVoices(transcript)
  return (
    <div className="tab-body no-note" data-region tabIndex={-1}>
      <h2 className="session-section-title">{isLost ? lostWords.noteTitle : words.title}</h2>
      <p className="muted no-note-lead">{hasWords ? `${howWritten(settings)} ${words.orType}` : words.type}</p>
      {voiceless > 0 && (
        <Notice
          tone="needs"
          icon={FileText}
          title={words.voices({ count: voiceless })}
          actions={<LinkButton onPress={() => navigate(sessionPath(id, 'transcript'))}>{words.toTranscript}</LinkButton>}
        />
      )}
      {hasWords && (
        <ConsentNeeded scope="draft">
          <DraftTrouble template={template} work={work} hasNote={false} />
        </ConsentNeeded>
      )}
      {(draft.error ?? start.error) !== null && <Problem code={(draft.error ?? start.error)?.code ?? null} />}
      <div className="no-note-form">
        <SelectField label={noteWords.template} options={forms.options} value={template} onChange={setTemplate} />
        {mayDraft && (
          <Button
            variant="filled"
            size="large"
            icon={FilePenLine}
            busy={draft.isPending ? words.writing : undefined}
            onPress={() => draft.mutate({ session_id: id, template })}
            label={work.state === 'failed' ? words.again : words.write}
          />
        )}
        <Button
          variant={mayDraft ? 'outlined' : 'filled'}
          size="large"
          icon={Keyboard}
          busy={start.isPending ? noteWords.loading : undefined}
          onPress={() => start.mutate({ session_id: id, template })}
          label={words.typeNote}
        />
      </div>
    </div>
  )
}

function howWritten(settings: Settings): string {
  if (settings.language_engine === 'rules') return words.fromTranscript
  const model = settings.language_engine === 'server' ? settings.language_model : settings.language_file
  const { writer_host } = placesOf(settings)
  return `${draftWords.byModel({ model })}${writer_host === null ? '' : ` ${draftWords.sentTo({ host: writer_host })}`}`
}

function DraftWriting({ work }: { readonly work: Work }) {
  const { id } = useSession()
  const cancel = useAction('notes.cancelDraft')
  return (
    <Writing
      work={work}
      title={words.writing}
      waiting={draftWords.waiting}
      progress={words.progress}
      cancel={draftWords.cancel}
      onCancel={() => cancel.mutate({ session_id: id })}
    >
      {cancel.error !== null && <Problem code={cancel.error.code} />}
    </Writing>
  )
}

interface DraftTroubleProps {
  readonly template: Template
  readonly work: Work
  readonly hasNote: boolean
}

export function DraftTrouble({ template, work, hasNote }: DraftTroubleProps) {
  const { id, settings } = useSession()
  const draft = useAction('notes.draft')
  const dismiss = useAction('notes.cancelDraft')
  if (work.error === 'cancelled') return hasNote ? null : <p className="muted">{draftWords.stopped}</p>
  if (work.error === null || (work.state !== 'failed' && work.state !== 'waiting')) return null
  const isNotReady = work.error === 'engine-not-ready'
  const isByModel = settings.language_engine !== 'rules'
  const sentence = errorSentences[isErrorCode(work.error) ? work.error : 'internal']
  const help = hasNote ? draftWords.failedAgain : `${sentence.kept} ${sentence.next}`
  return (
    <ConsentNeeded scope={work.error === 'consent-missing' ? 'draft' : null}>
      <Notice
        tone={isNotReady ? 'needs' : 'stopped'}
        icon={FilePenLine}
        title={isNotReady ? draftWords.notReady : sentence.happened}
        actions={
          <>
            {isByModel && (
              <Button
                busy={draft.isPending ? draftWords.waiting : undefined}
                onPress={() => draft.mutate({ session_id: id, template, without_ai: true })}
                label={draftWords.withoutAi}
              />
            )}
            {isByModel && <Button variant="quiet" onPress={() => navigate(settingsPath('notes'))} label={draftWords.settings} />}
            {hasNote && <Button variant="quiet" onPress={() => dismiss.mutate({ session_id: id })} label={draftWords.notNow} />}
          </>
        }
      >
        {isNotReady ? draftWords.notReadyHelp : help}
      </Notice>
      {draft.error !== null && <Problem code={draft.error.code} />}
    </ConsentNeeded>
  )
}

interface DraftActionsProps {
  readonly note: Note
  readonly isOutdated: boolean
  readonly hasWords: boolean
  readonly beforeDraft: () => Promise<unknown>
}

export function DraftActions({ note, isOutdated, hasWords, beforeDraft }: DraftActionsProps) {
  const { id, row } = useSession()
  const name = useName()
  const forms = useNoteForms()
  const [isAsking, setAsking] = useState(false)
  const editing = useEditing()
  const draft = useAction('notes.draft')
  const again = async (): Promise<void> => {
    await beforeDraft()
    const isBegun = await draft.mutateAsync({ session_id: id, template: note.template }).catch(() => null)
    if (isBegun !== null) setAsking(false)
  }
  return (
    <>
      <HeadActions>
        <Chip tone="draft" icon={FileText}>
          {noteWords.draftChip}
        </Chip>
        <SelectField
          className="template-choice"
          label={noteWords.template}
          isLabelHidden
          options={forms.options}
          value={note.template}
          onChange={(template) => editing.switchTemplate(template, forms.nameOf(template))}
        />
        <NoteHistory note={note} onRestore={editing.restore} />
        {hasWords && (
          <Menu
            label={noteWords.more}
            trigger={<IconButton label={noteWords.more} icon={Ellipsis} variant="outlined" />}
            entries={[{ id: 'again', label: noteWords.draftAgain, onAction: () => setAsking(true) }]}
          />
        )}
        <ConfirmDialog
          title={noteWords.draftAgainTitle({ name: name(row.client_name) })}
          lead={noteWords.draftAgainLead}
          isOpen={isAsking}
          onClose={() => setAsking(false)}
          cancel={noteWords.draftAgainNo}
          submit={noteWords.draftAgainYes}
          busy={draft.isPending ? noteWords.none.writing : undefined}
          error={draft.error?.code}
          onConfirm={again}
        />
      </HeadActions>
      {isOutdated && <Outdated onDraftAgain={() => setAsking(true)} />}
    </>
  )
}

function Outdated({ onDraftAgain }: { readonly onDraftAgain: () => void }) {
  const { id } = useSession()
  const keep = useAction('notes.keepDraft')
  const { outdated } = noteWords
  const actions = (
    <>
      <Button onPress={onDraftAgain} label={outdated.again} />
      <Button variant="quiet" onPress={() => keep.mutate({ session_id: id })} label={outdated.keep} />
    </>
  )
  return (
    <Notice tone="needs" icon={RotateCw} title={outdated.title} actions={actions}>
      {keep.error === null ? outdated.help : errorSentences[keep.error.code].happened}
    </Notice>
  )
}
