import { FileText, FileUp } from 'lucide-react'
import { useRef, useState, type DragEvent } from 'react'
import type { Work } from '#contract/bridge/sessions.ts'
import { useUnsentText } from '#renderer/bridge/unsent-text.ts'
import { useAction, type BridgeFailure } from '#renderer/bridge/use-bridge.ts'
import { useName } from '#renderer/lib/names.ts'
import { SpeechSetup } from '#renderer/lib/speech-setup.tsx'
import { isUnreadable } from '#renderer/sessions/damage.ts'
import { DamagedSound } from '#renderer/sessions/damaged-sound.tsx'
import { useIsLost } from '#renderer/sessions/lost-parts.ts'
import { lostWords } from '#renderer/strings/recovery.ts'
import { transcriptError, transcriptWords } from '#renderer/strings/transcript.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { ConsentNeeded } from '../notices.tsx'
import { SessionSound, Writing } from '../parts.tsx'
import { isRunning, peopleOf, playableId, useSession, useWorkProgress } from '../session-data.ts'
import { parseTypedLines } from './speakers.ts'

const words = transcriptWords.none

interface NoTranscriptProps {
  readonly work: Work
  readonly speechReady: boolean
}

export function NoTranscript({ work: stored, speechReady }: NoTranscriptProps) {
  const data = useSession()
  const { id, row, recording } = data
  const work = useWorkProgress(id, 'transcribe', stored)
  const isLost = useIsLost(id, 'transcript')
  const isRecordingLost = useIsLost(id, 'recording')
  const isBusy = work.state === 'running' || (work.state === 'waiting' && work.error !== 'engine-not-ready')
  if (isBusy) return <Transcribing work={work} />
  return (
    <div className="tab-body no-transcript" data-region tabIndex={-1}>
      <h2 className="session-section-title">{isLost ? lostWords.transcriptTitle : words.title}</h2>
      <p className="muted no-transcript-lead">{isRecordingLost ? lostWords.recording : leadOf(data, isLost)}</p>
      <DamagedSound recording={recording} row={row} />
      <SessionSound />
      {playableId(recording) !== null && (
        <ConsentNeeded scope="transcribe">
          <FromSound work={work} speechReady={speechReady} />
        </ConsentNeeded>
      )}
      <div className="no-transcript-ways">
        <ImportTranscript />
        <TypeTranscript key={id} />
      </div>
    </div>
  )
}

function leadOf({ recording }: ReturnType<typeof useSession>, isLost: boolean): string {
  if (isRunning(recording)) return words.running
  if (isUnreadable(recording)) return words.soundUnreadable
  if (playableId(recording) !== null) return words.recorded
  return isLost ? words.noSound : words.notRecorded
}

function FromSound({ work, speechReady }: NoTranscriptProps) {
  const { id } = useSession()
  const request = useAction('transcripts.request')
  if (!speechReady || work.error === 'engine-not-ready') {
    const text = work.error === 'engine-not-ready' ? words.noEngineWaits : words.noEngineHelp
    return <SpeechSetup title={speechReady ? transcriptError('engine-not-ready') : words.noEngine} text={text} />
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
        onPress={() => request.mutate({ session_id: id })}
        label={work.state === 'failed' ? words.again : words.request}
      />
    </div>
  )
}

function Transcribing({ work }: { readonly work: Work }) {
  const { id } = useSession()
  const cancel = useAction('transcripts.cancel')
  return (
    <Writing
      work={work}
      title={words.working}
      waiting={work.error === 'network-metered' ? words.metered : words.waiting}
      progress={words.progress}
      cancel={words.cancel}
      onCancel={() => cancel.mutate({ session_id: id })}
    >
      <SessionSound />
    </Writing>
  )
}

function TypeTranscript() {
  const { id, row, settings } = useSession()
  const name = useName()
  const [text, setText] = useUnsentText(`transcript of ${id}`)
  const save = useAction('transcripts.save')
  const people = peopleOf(row)
  const typed = parseTypedLines(text, settings.therapist_name, people)
  const keep = (): void => {
    const input = { session_id: id, version: null, ...typed }
    // A callback passed to `mutate` would not run if this form is unmounted before the answer.
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
        help={words.typeHelp({ name: name(people[0]?.name.split(/\s+/)[0] ?? row.client_name) })}
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
          label={words.typeKeep({ count: typed.segments.length })}
        />
      </div>
    </section>
  )
}

const LARGEST = 20_000_000

function ImportTranscript() {
  const { id } = useSession()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [isTooLarge, setTooLarge] = useState(false)
  const bring = useAction('transcripts.import')
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    setTooLarge(file.size > LARGEST)
    if (file.size > LARGEST) return
    const content = new Uint8Array(await file.arrayBuffer())
    bring.mutate({ session_id: id, file_name: file.name, content })
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
        <Button
          icon={FileUp}
          busy={bring.isPending ? words.importing : undefined}
          onPress={() => input.current?.click()}
          label={words.choose}
        />
      </div>
      {isTooLarge ? <Notice tone="needs" title={words.tooLarge} /> : bring.error !== null && <Refused failure={bring.error} />}
    </section>
  )
}

function Refused({ failure: { code, detail } }: { readonly failure: BridgeFailure }) {
  if (code !== 'import-unreadable') return <Problem code={code} />
  return (
    <Notice tone="stopped" title={words.unreadable}>
      {detail ?? words.unreadableHelp}
    </Notice>
  )
}
