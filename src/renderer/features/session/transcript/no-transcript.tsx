import { AudioLines, FileText, MicOff, FileUp } from 'lucide-react'
import { useState, useRef, type DragEvent } from 'react'
import type { Work } from '#contract/bridge/sessions.ts'
import { useName } from '#renderer/lib/names.ts'
import { navigate } from '#renderer/lib/routes.ts'
import { useAction, type BridgeFailure } from '#renderer/bridge/use-bridge.ts'
import { useUnsentText } from '#renderer/bridge/unsent-text.ts'
import { isUnreadable } from '#renderer/sessions/damage.ts'
import { DamagedSound } from '#renderer/sessions/damaged-sound.tsx'
import { listOfNames } from '#renderer/strings/lists.ts'
import { transcriptError, transcriptWords } from '#renderer/strings/transcript.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Loading, Notice, Problem } from '#renderer/ui/page.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { lostWords } from '#renderer/strings/recovery.ts'
import { SessionSound } from '../session-sound.tsx'
import { useIsLost } from '#renderer/sessions/lost-parts.ts'
import { isRunning, playableId, type SessionData, peopleOf, spokenQuarter, useWorkProgress } from '../session-data.ts'
import { parseTypedLines } from './speakers.ts'

const words = transcriptWords.none

interface NoTranscriptProps {
  readonly data: SessionData
  readonly work: Work
  readonly speechReady: boolean
}

export function NoTranscript({ data, work: stored, speechReady }: NoTranscriptProps) {
  const work = useWorkProgress(data.row.session.id, 'transcribe', stored)
  const isLost = useIsLost(data.row.session.id, 'transcript')
  const isRecordingLost = useIsLost(data.row.session.id, 'recording')
  const isBusy = work.state === 'running' || (work.state === 'waiting' && work.error !== 'engine-not-ready')
  if (isBusy) return <Writing data={data} work={work} />
  const hasSound = playableId(data.recording) !== null
  return (
    <div className="tab-body no-transcript" data-region tabIndex={-1}>
      <h2 className="session-section-title">{isLost ? lostWords.transcriptTitle : words.title}</h2>
      <p className="muted no-transcript-lead">{isRecordingLost ? lostWords.recording : leadOf(data, isLost)}</p>
      <DamagedSound recording={data.recording} row={data.row} />
      <SessionSound recording={data.recording} />
      {hasSound && <FromSound data={data} work={work} speechReady={speechReady} />}
      <div className="no-transcript-ways">
        <ImportTranscript data={data} />
        <TypeTranscript key={data.row.session.id} data={data} />
      </div>
    </div>
  )
}

function leadOf({ recording }: SessionData, isLost: boolean): string {
  if (isRunning(recording)) return words.running
  if (isUnreadable(recording)) return words.soundUnreadable
  if (playableId(recording) !== null) return words.recorded
  return isLost ? words.noSound : words.notRecorded
}

function FromSound({ data, work, speechReady }: NoTranscriptProps) {
  const name = useName()
  const request = useAction('transcripts.request')
  const input = { session_id: data.row.session.id }
  const refusing = data.row.consent.missing.filter((entry) => entry.scopes.includes('transcribe'))
  if (refusing.length > 0) {
    return (
      <Notice
        icon={MicOff}
        title={words.consent({ names: listOfNames(refusing.map((entry) => name(entry.participant.name))) })}
      />
    )
  }
  if (!speechReady || work.error === 'engine-not-ready') {
    return (
      <Notice
        tone="needs"
        icon={AudioLines}
        title={words.noEngine}
        actions={<Button onPress={() => navigate('/settings')}>{words.settings}</Button>}
      >
        {words.noEngineHelp}
      </Notice>
    )
  }
  return (
    <div className="no-transcript-request">
      {work.state === 'failed' && work.error !== 'cancelled' && (
        <Notice tone="stopped" icon={FileText} title={words.failed}>
          {words.failedSafe} {transcriptError(work.error)}
        </Notice>
      )}
      {work.error === 'cancelled' && <p className="muted">{words.cancelled}</p>}
      {request.error !== null && <Problem code={request.error.code} />}
      <Button
        variant="filled"
        size="large"
        icon={FileText}
        busy={request.isPending ? words.requesting : undefined}
        onPress={() => request.mutate(input)}
      >
        {work.state === 'failed' ? words.again : words.request}
      </Button>
    </div>
  )
}

const waitingWords = (error: string | null): string => (error === 'network-metered' ? words.metered : words.waiting)

function Writing({ data, work }: { readonly data: SessionData; readonly work: Work }) {
  const cancel = useAction('transcripts.cancel')
  const percent = Math.round(work.progress * 100)
  return (
    <div className="tab-body no-transcript">
      <Loading
        progress={work.progress}
        left={work.state === 'waiting' && percent === 0 ? waitingWords(work.error) : words.progress({ percent })}
      >
        {words.working}
      </Loading>
      <SessionSound recording={data.recording} />
      <p className="visually-hidden" role="status">
        {words.progress({ percent: spokenQuarter(work.progress) })}
      </p>
      <div className="no-transcript-request">
        <Button onPress={() => cancel.mutate({ session_id: data.row.session.id })}>{words.cancel}</Button>
      </div>
    </div>
  )
}

function TypeTranscript({ data }: { readonly data: SessionData }) {
  const name = useName()
  const [text, setText] = useUnsentText(`transcript of ${data.row.session.id}`)
  const save = useAction('transcripts.save')
  const people = peopleOf(data.row)
  const typed = parseTypedLines(text, data.settings.therapist_name, people)
  const keep = (): void => {
    const input = { session_id: data.row.session.id, version: null, speakers: typed.speakers, segments: typed.segments }
    // Not a callback of `mutate`, which is dropped when this form goes away before the answer.
    void save.mutateAsync(input).then(
      () => setText(''),
      () => undefined,
    )
  }
  return (
    <section className="ui-card way" aria-labelledby="type-title">
      <h3 id="type-title" className="way-title">
        {words.typeTitle}
      </h3>
      <TextField
        label={words.typeField}
        help={words.typeHelp({ name: name(people[0]?.name.split(/\s+/)[0] ?? data.row.client_name) })}
        placeholder={words.example}
        value={text}
        onChange={setText}
        isMultiline
        rows={9}
      />
      {save.error !== null && <Problem code={save.error.code} />}
      <div>
        <Button
          isDisabled={typed.segments.length === 0}
          reason={words.typeEmpty}
          busy={save.isPending ? words.typing : undefined}
          onPress={keep}
        >
          {words.typeKeep({ count: typed.segments.length })}
        </Button>
      </div>
    </section>
  )
}

const LARGEST = 20_000_000

function ImportTranscript({ data }: { readonly data: SessionData }) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [isTooLarge, setTooLarge] = useState(false)
  const bring = useAction('transcripts.import')
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    setTooLarge(file.size > LARGEST)
    if (file.size > LARGEST) return
    const content = new Uint8Array(await file.arrayBuffer())
    bring.mutate({ session_id: data.row.session.id, file_name: file.name, content })
  }
  const onDrag = (over: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setOver(over)
  }
  return (
    <section
      className={isOver ? 'ui-card way way-over' : 'ui-card way'}
      aria-labelledby="import-title"
      onDragEnter={onDrag(true)}
      onDragOver={onDrag(true)}
      onDragLeave={onDrag(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void take(event.dataTransfer.files[0])
      }}
    >
      <h3 id="import-title" className="way-title">
        {words.importTitle}
      </h3>
      <p className="muted">{isOver ? words.drop : words.importHelp}</p>
      <input
        ref={input}
        type="file"
        autoComplete="off"
        className="visually-hidden"
        tabIndex={-1}
        aria-hidden
        accept=".txt,.vtt,.srt,.json,text/plain,text/vtt,application/json"
        onChange={(event) => {
          void take(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      <div>
        <Button icon={FileUp} busy={bring.isPending ? words.importing : undefined} onPress={() => input.current?.click()}>
          {words.choose}
        </Button>
      </div>
      {isTooLarge ? <Notice tone="needs" title={words.tooLarge} /> : bring.error !== null && <Refused failure={bring.error} />}
    </section>
  )
}

function Refused({ failure }: { readonly failure: BridgeFailure }) {
  if (failure.code !== 'import-unreadable') return <Problem code={failure.code} />
  return (
    <Notice tone="stopped" title={words.unreadable}>
      {failure.detail ?? words.unreadableHelp}
    </Notice>
  )
}
