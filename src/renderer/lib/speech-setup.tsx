import { CircleAlert, Download, FileText } from 'lucide-react'
import { isErrorCode } from '#contract/errors.ts'
import type { ModelList, ModelTask, SpeechModel } from '#contract/model/speech-model.ts'
import { call, useAttempt, useCall } from '#renderer/bridge/use-bridge.ts'
import { modelStrings } from '#renderer/strings/engines.ts'
import { errorSentences } from '#renderer/strings/errors.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { useSettings } from './app-state.ts'
import { navigate } from './routes.ts'
import './speech-setup.css'

const words = modelStrings.setup

/** Models list languages without regions: "en" for "en-US". An empty list means all languages. */
export const knowsLanguage = ({ languages }: Pick<SpeechModel, 'languages'>, language: string): boolean =>
  languages.length === 0 || languages.includes(language.split('-')[0] ?? language)

export const chosenModel = (models: readonly SpeechModel[], task: ModelTask): SpeechModel | undefined =>
  models.find((model) => model.task === task && model.state === 'installed' && model.installed?.chosen)

export const canTranscribe = ({ data }: ModelList): boolean =>
  chosenModel(data, 'recognition') !== undefined && chosenModel(data, 'vad') !== undefined

/** The models that suit this computer, without a recognizer if the user installed another one for the language. */
function suitingModels({ data }: ModelList, language: string): SpeechModel[] {
  const hasOther = data.some(
    (model) => model.task === 'recognition' && model.installed !== null && !model.recommended && knowsLanguage(model, language),
  )
  return data.filter(({ recommended, task }) => recommended && !(hasOther && task === 'recognition'))
}

const sizeOf = (models: readonly SpeechModel[]): number => models.reduce((sum, { megabytes }) => sum + megabytes, 0)

/** Megabytes that have arrived. */
const arrived = ({ installed, operation, kept_bytes, megabytes }: SpeechModel): number => {
  if (installed !== null) return megabytes
  return operation === null ? Math.min(megabytes, kept_bytes / 1e6) : operation.progress * megabytes
}

export function useSpeechInstall(list: ModelList, language: string) {
  const { doing, error, attempt } = useAttempt<'install' | 'cancel'>()
  const set = suitingModels(list, language)
  const missing = set.filter(({ installed, operation }) => installed === null && operation === null)
  const coming = set.filter(({ operation }) => operation !== null)
  const needed = sizeOf(missing) - missing.reduce((sum, model) => sum + arrived(model), 0)
  return {
    missing,
    isComing: coming.length > 0,
    failure: missing.find(({ failure }) => failure !== null)?.failure ?? null,
    size: modelStrings.size(sizeOf(missing)),
    all: sizeOf(set),
    done: set.reduce((sum, model) => sum + arrived(model), 0),
    hasRoom: needed * 1e6 <= list.machine.free_bytes,
    doing,
    error,
    install: () =>
      attempt('install', async () => {
        // The small models first, so that speakers are identified in the first transcript.
        for (const { id } of missing.toSorted((one, other) => one.megabytes - other.megabytes))
          await call('models.install', { id })
      }),
    cancel: () =>
      attempt('cancel', async () => {
        for (const { id } of coming) await call('models.cancel', { id })
      }),
  }
}

interface SetupProps {
  /** What to say while nothing is set up; without it, only a download is shown. */
  readonly title?: string
  readonly text?: string
}

/** Sets up transcription with one click, and shows the download until it ends. */
export function SpeechSetup(props: SetupProps) {
  const settings = useSettings()
  const isHere = settings?.service_address === null && settings.speech_engine === 'local'
  const list = useCall('models.list', {}, { enabled: isHere }).data
  if (isHere && list?.machine.imports === true) return <Setup {...props} list={list} language={settings.language} />
  const { title, text } = props
  return title === undefined ? null : (
    <Notice tone="needs" icon={FileText} title={title} text={text} actions={<ToSettings label={words.settings} />} />
  )
}

function Setup({ list, language, title, text }: SetupProps & Readonly<{ list: ModelList; language: string }>) {
  const { missing, isComing, failure, size, done, all, hasRoom, doing, error, install, cancel } = useSpeechInstall(list, language)
  if (isComing) return <Coming done={done} all={all} onCancel={() => void cancel()} />
  const isStopped = missing.some(({ failure: why, kept_bytes }) => why !== null || kept_bytes > 0)
  if (!isStopped && title === undefined) return null
  const left = modelStrings.size(Math.max(1, all - done))
  const { happened, next } = errorSentences[isErrorCode(failure?.code) ? failure.code : 'internal']
  const why = failure === null ? words.notFinished : `${failure.detail ?? happened} ${next}`
  const button = (
    <Button
      variant="filled"
      icon={Download}
      isDisabled={!hasRoom}
      reason={words.noRoom({ size: left })}
      busy={doing === 'install' && words.starting}
      onPress={() => void install()}
      label={isStopped ? words.resume({ size: left }) : words.install({ size })}
    />
  )
  return (
    <div className="speech-setup">
      <Notice
        tone="needs"
        icon={isStopped ? CircleAlert : FileText}
        title={isStopped ? words.stopped : title}
        text={isStopped ? `${why} ${words.kept({ done: modelStrings.size(done) })}` : text}
        actions={
          <>
            {missing.length > 0 && button}
            <ToSettings label={missing.length > 0 ? words.otherWays : words.settings} />
          </>
        }
      />
      {error !== null && <Problem code={error} />}
    </div>
  )
}

const ToSettings = ({ label }: { readonly label: string }) => (
  <Button variant="quiet" onPress={() => navigate('/settings')} label={label} />
)

export function Coming({ done, all, onCancel }: Readonly<{ done: number; all: number; onCancel: () => void }>) {
  const percent = Math.floor((done / all) * 4) * 25
  return (
    <Notice icon={Download} title={words.coming} actions={<Button onPress={onCancel} label={words.cancel} />}>
      <progress className="ui-progress speech-setup-progress" value={done} max={all} aria-label={words.coming} />
      {words.progress({ done: modelStrings.size(done), all: modelStrings.size(all) })}
      <span className="visually-hidden" role="status">
        {percent > 0 ? words.quarter({ percent }) : ''}
      </span>
    </Notice>
  )
}
