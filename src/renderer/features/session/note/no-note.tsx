import { FilePenLine, FileText } from 'lucide-react'
import { useState } from 'react'
import type { Work } from '#contract/bridge/sessions.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import type { Template } from '#contract/model/template.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { navigate, sessionPath } from '#renderer/lib/routes.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { useNoteForms } from '#renderer/sessions/note-forms.ts'
import { placesOf } from '#renderer/lib/places.ts'
import { noteWords } from '#renderer/strings/note.ts'
import { writerWords } from '#renderer/strings/engines.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { SelectField } from '#renderer/ui/field.tsx'
import { Notice, Problem, Loading } from '#renderer/ui/page.tsx'
import { lostWords } from '#renderer/strings/recovery.ts'
import { useIsLost } from '#renderer/sessions/lost-parts.ts'
import type { SessionData } from '../session-data.ts'
import { isErrorCode } from '#contract/errors.ts'
import { errorSentences } from '#renderer/strings/errors.ts'
import { unknownVoices } from '../transcript/speakers.ts'
import { useWorkProgress, spokenQuarter } from '../session-data.ts'

const words = noteWords.none

interface NoNoteProps {
  readonly data: SessionData
  readonly work: Work
  readonly transcript: Transcript | null
}

export function NoNote({ data, work: stored, transcript }: NoNoteProps) {
  const work = useWorkProgress(data.row.session.id, 'draft', stored)
  const [template, setTemplate] = useState<Template>(data.settings.default_template)
  const forms = useNoteForms()
  const draft = useAction('notes.draft')
  const isLost = useIsLost(data.row.session.id, 'note')
  const isBusy = work.state === 'running' || (work.state === 'waiting' && work.error === null)
  if (isBusy) return <DraftWriting sessionId={data.row.session.id} work={work} />
  const voiceless = transcript === null ? 0 : unknownVoices(transcript)
  return (
    <div className="tab-body no-note" data-region tabIndex={-1}>
      <h2 className="session-section-title">{isLost ? lostWords.noteTitle : words.title}</h2>
      <p className="muted no-note-lead">{transcript === null ? words.fromSession : howWritten(data.settings)}</p>
      {voiceless > 0 && (
        <Notice
          tone="needs"
          icon={FileText}
          title={words.voices({ count: voiceless })}
          actions={
            <LinkButton onPress={() => navigate(sessionPath(data.row.session.id, 'transcript'))}>{words.toTranscript}</LinkButton>
          }
        />
      )}
      <DraftTrouble
        sessionId={data.row.session.id}
        template={template}
        work={work}
        hasNote={false}
        isByModel={data.settings.language_engine !== 'rules'}
      />
      {draft.error !== null && <Problem code={draft.error.code} />}
      <div className="no-note-form">
        <SelectField label={noteWords.template} options={forms.options} value={template} onChange={setTemplate} />
        <Button
          variant="filled"
          size="large"
          icon={FilePenLine}
          busy={draft.isPending ? words.writing : undefined}
          onPress={() => draft.mutate({ session_id: data.row.session.id, template })}
        >
          {work.state === 'failed' ? words.again : words.write}
        </Button>
      </div>
    </div>
  )
}

function howWritten(settings: Settings): string {
  if (settings.language_engine === 'rules') return words.fromTranscript
  const { byModel, sentTo } = writerWords.draft
  const model = settings.language_engine === 'server' ? settings.language_model : settings.language_file
  const { writer_host } = placesOf(settings)
  return [byModel({ model }), ...(writer_host === null ? [] : [sentTo({ host: writer_host })])].join(' ')
}

function DraftWriting({ sessionId, work }: { readonly sessionId: string; readonly work: Work }) {
  const cancel = useAction('notes.cancelDraft')
  const percent = Math.round(work.progress * 100)
  return (
    <div className="tab-body no-note">
      <Loading
        progress={work.progress}
        left={work.state === 'waiting' && percent === 0 ? writerWords.draft.waiting : words.progress({ percent })}
      >
        {words.writing}
      </Loading>
      <p className="visually-hidden" role="status">
        {words.progress({ percent: spokenQuarter(work.progress) })}
      </p>
      {cancel.error !== null && <Problem code={cancel.error.code} />}
      <div className="no-note-form">
        <Button onPress={() => cancel.mutate({ session_id: sessionId })}>{writerWords.draft.cancel}</Button>
      </div>
    </div>
  )
}

const draftTroubleWords = writerWords.draft

interface DraftTroubleProps {
  readonly sessionId: string
  readonly template: Template
  readonly work: Work
  readonly hasNote: boolean
  readonly isByModel: boolean
}

export function DraftTrouble({ sessionId, template, work, hasNote, isByModel }: DraftTroubleProps) {
  const draft = useAction('notes.draft')
  const dismiss = useAction('notes.cancelDraft')
  if (work.error === 'cancelled') return hasNote ? null : <p className="muted">{draftTroubleWords.stopped}</p>
  if (work.error === null || (work.state !== 'failed' && work.state !== 'waiting')) return null
  const isNotReady = work.error === 'engine-not-ready'
  const sentence = errorSentences[isErrorCode(work.error) ? work.error : 'internal']
  return (
    <>
      <Notice
        tone={isNotReady ? 'needs' : 'stopped'}
        icon={FilePenLine}
        title={isNotReady ? draftTroubleWords.notReady : sentence.happened}
        actions={
          <>
            {isByModel && (
              <>
                <Button
                  busy={draft.isPending ? writerWords.draft.waiting : undefined}
                  onPress={() => draft.mutate({ session_id: sessionId, template, without_ai: true })}
                >
                  {draftTroubleWords.withoutAi}
                </Button>
                <Button variant="quiet" onPress={() => navigate('/settings')}>
                  {draftTroubleWords.settings}
                </Button>
              </>
            )}
            {hasNote && (
              <Button variant="quiet" onPress={() => dismiss.mutate({ session_id: sessionId })}>
                {draftTroubleWords.notNow}
              </Button>
            )}
          </>
        }
      >
        {isNotReady
          ? draftTroubleWords.notReadyHelp
          : hasNote
            ? draftTroubleWords.failedAgain
            : `${sentence.kept} ${sentence.next}`}
      </Notice>
      {draft.error !== null && <Problem code={draft.error.code} />}
    </>
  )
}
