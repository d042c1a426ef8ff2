import { FilePenLine, FileText } from 'lucide-react'
import { useState } from 'react'
import type { Work } from '#contract/bridge/sessions.ts'
import type { Template } from '#contract/model/note.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { navigate, sessionPath } from '#renderer/app/navigation.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { noteWords } from '#renderer/strings/note.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { SelectField } from '#renderer/ui/field.tsx'
import { Loading, Notice, Problem } from '#renderer/ui/page.tsx'
import type { SessionData } from '../session-data.ts'
import { unknownVoices } from '../transcript/speakers.ts'
import { spokenQuarter, useWorkProgress } from '../use-work-progress.ts'

const words = noteWords.none
export const templates: readonly Template[] = ['soap', 'dap', 'birp', 'girp', 'intake']

interface NoNoteProps {
  readonly data: SessionData
  readonly work: Work
  readonly transcript: Transcript | null
}

export function NoNote({ data, work: stored, transcript }: NoNoteProps) {
  const work = useWorkProgress(data.row.session.id, 'draft', stored)
  const [template, setTemplate] = useState<Template>(data.settings.default_template)
  const draft = useAction('notes.draft')
  const isBusy = work.state === 'running' || (work.state === 'waiting' && work.error === null)
  if (isBusy) return <Writing work={work} />
  const voiceless = transcript === null ? 0 : unknownVoices(transcript)
  return (
    <div className="tab-body no-note" data-region tabIndex={-1}>
      <h2 className="session-section-title">{words.title}</h2>
      <p className="muted no-note-lead">{transcript === null ? words.fromSession : words.fromTranscript}</p>
      {voiceless > 0 && (
        <Notice
          tone="needs"
          icon={FileText}
          title={words.voices(voiceless)}
          actions={
            <LinkButton onPress={() => navigate(sessionPath(data.row.session.id, 'transcript'))}>{words.toTranscript}</LinkButton>
          }
        />
      )}
      {(work.state === 'failed' || draft.error !== null) && <Problem code={draft.error?.code ?? work.error} />}
      <div className="no-note-form">
        <SelectField
          label={noteWords.template}
          options={templates.map((value) => ({ value, label: noteWords.templateLong(value) }))}
          value={template}
          onChange={setTemplate}
        />
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

function Writing({ work }: { readonly work: Work }) {
  return (
    <div className="tab-body no-note">
      <Loading progress={work.progress} left={words.progress(Math.round(work.progress * 100))}>
        {words.writing}
      </Loading>
      <p className="visually-hidden" role="status">
        {words.progress(spokenQuarter(work.progress))}
      </p>
    </div>
  )
}
