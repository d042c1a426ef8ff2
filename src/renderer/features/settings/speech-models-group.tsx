import { TriangleAlert, Download, CircleCheck } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import type { Settings } from '#contract/bridge/settings.ts'
import type { ModelList, ModelTask, SpeechModel } from '#contract/model/speech-model.ts'
import { isWebAddress } from '#renderer/lib/places.ts'
import { useCall, call, useAction, useAttempt } from '#renderer/bridge/use-bridge.ts'
import { modelStrings } from '#renderer/strings/engines.ts'
import { settingsStrings } from '#renderer/strings/settings.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Loading, Notice, Problem } from '#renderer/ui/page.tsx'
import { formatBytes } from '#renderer/strings/time.ts'
import { errorSentences } from '#renderer/strings/errors.ts'
import { TextField } from '#renderer/ui/field.tsx'
import { Group, SwitchSetting, TextSetting, Told, type GroupProps } from './setting.tsx'
import { ModelRow } from './speech-model-row.tsx'
import './speech-models.css'

const words = modelStrings
const tasks: readonly ModelTask[] = ['recognition', 'vad', 'segmentation', 'embedding', 'denoise']

export function SpeechModelsGroup({ settings }: GroupProps) {
  const { data: list, error, refetch } = useCall('models.list', {})
  const isRefused = error?.code === 'not-found' || error?.code === 'forbidden'
  const isManagedElsewhere = isRefused || list?.machine.imports === false
  return (
    <Group title={words.group}>
      {isManagedElsewhere && <Told label={words.group}>{words.elsewhere}</Told>}
      {error && !isRefused && <Problem code={error.code} onRetry={() => void refetch()} />}
      {!list && !error && <Loading />}
      {list && !isManagedElsewhere && <Models list={list} settings={settings} />}
    </Group>
  )
}

function Models({ list, settings }: { readonly list: ModelList; readonly settings: Settings }) {
  const [isAll, setAll] = useState(false)
  const few = list.data.filter(isAtHand)
  const others = list.data.length - few.length
  return (
    <>
      <Told label={standing(list.data)}>
        {hasVoices(list.data) ? words.voices : words.noVoices} {words.asked}
      </Told>
      <OtherLanguage recogniser={chosen(list.data, 'recognition')} language={settings.language} />
      <RecommendedSet list={list} language={settings.language} />
      {tasks.map((task) => (
        <TaskModels
          key={task}
          task={task}
          models={(isAll ? list.data : few).filter((model) => model.task === task)}
          language={settings.language}
          canTest={list.machine.tests}
        />
      ))}
      {others > 0 && (
        <div className="setting">
          <Button aria-expanded={isAll} onPress={() => setAll(!isAll)}>
            {isAll ? words.showFew : words.showAll({ count: others })}
          </Button>
        </div>
      )}
      {chosen(list.data, 'denoise') !== undefined && (
        <SwitchSetting
          label={words.noise.label}
          text={words.noise.text}
          isOn={settings.reduce_noise}
          patch={(reduce_noise) => ({ reduce_noise })}
        />
      )}
      <ImportModels />
      <TextSetting
        label={words.mirror.label}
        help={words.mirror.help}
        value={settings.model_mirror ?? ''}
        check={(value) => (value === '' || isWebAddress(value) ? null : settingsStrings.wrongAddress)}
        patch={(value) => ({ model_mirror: value === '' ? null : value })}
      />
    </>
  )
}

/** Warns about a recognizer that does not know the chosen language: it writes its own languages, whatever is spoken. */
function OtherLanguage({ recogniser, language }: { readonly recogniser: SpeechModel | undefined; readonly language: string }) {
  if (recogniser === undefined || knowsLanguage(recogniser, language)) return null
  return (
    <div className="setting">
      <Notice tone="needs" icon={TriangleAlert}>
        {words.otherLanguage(recogniser.name, language)}
      </Notice>
    </div>
  )
}

interface TaskModelsProps {
  readonly task: ModelTask
  readonly models: readonly SpeechModel[]
  readonly language: string
  readonly canTest: boolean
}

function TaskModels({ task, models, language, canTest }: TaskModelsProps) {
  if (models.length === 0) return null
  const installed = models.filter((model) => model.installed !== null).length
  return (
    <div className="models-task">
      <h3 className="models-task-title">{words.tasks[task]}</h3>
      <ul className="models-list" aria-label={words.tasks[task]}>
        {models.map((model) => (
          <ModelRow key={model.id} model={model} language={language} canTest={canTest} isOneOfMany={installed > 1} />
        ))}
      </ul>
    </div>
  )
}

const isAtHand = (model: SpeechModel): boolean =>
  model.recommended || model.installed !== null || model.operation !== null || model.failure !== null || model.kept_bytes > 0

const chosen = (models: readonly SpeechModel[], task: ModelTask): SpeechModel | undefined =>
  models.find((model) => model.task === task && model.state === 'installed' && model.installed?.chosen)

function standing(models: readonly SpeechModel[]): string {
  const recogniser = chosen(models, 'recognition')
  if (recogniser === undefined) return words.none
  return chosen(models, 'vad') === undefined ? words.half : words.ready({ name: recogniser.name })
}

const hasVoices = (models: readonly SpeechModel[]): boolean =>
  chosen(models, 'segmentation') !== undefined && chosen(models, 'embedding') !== undefined

const speechRecommendedWords = modelStrings.set

function RecommendedSet({ list, language }: { readonly list: ModelList; readonly language: string }) {
  const { doing, error, attempt } = useAttempt<'install'>()
  const set = list.data.filter((model) => model.recommended)
  const missing = set.filter(({ installed, operation }) => installed === null && operation === null)
  // Don't recommend another recognizer to a user who installed one for this language.
  const hasOther = list.data.some(
    (model) => model.task === 'recognition' && model.installed !== null && !model.recommended && knowsLanguage(model, language),
  )
  const wanted = hasOther ? missing.filter(({ task }) => task !== 'recognition') : missing
  if (wanted.length === 0) return null
  const size = wanted.reduce((sum, { megabytes }) => sum + megabytes, 0)
  const install = () =>
    attempt('install', async () => {
      // Install small models first, because the test of the large recognizer needs them.
      for (const { id } of wanted.toSorted((one, other) => one.megabytes - other.megabytes)) await call('models.install', { id })
    })
  return (
    <div className="setting">
      <div className="setting-words">
        <p className="setting-label">{speechRecommendedWords.title}</p>
        <p className="setting-text">
          {speechRecommendedWords.text({
            names: wanted.map(({ name }) => name),
            memory: modelStrings.size(list.machine.memory_mb),
          })}{' '}
          {speechRecommendedWords.space({ free: formatBytes(list.machine.free_bytes) })}
        </p>
        {error !== null && <Problem code={error} />}
      </div>
      <Button icon={Download} busy={doing === null ? undefined : modelStrings.waits} onPress={() => void install()}>
        {speechRecommendedWords.install({ size: modelStrings.size(size) })}
      </Button>
    </div>
  )
}

/** Models list languages without regions: "en" for "en-US". An empty list means all languages. */
function knowsLanguage({ languages }: Pick<SpeechModel, 'languages'>, language: string): boolean {
  return languages.length === 0 || languages.includes(language.split('-')[0] ?? language)
}

const speechImportWords = modelStrings.import

function ImportModels() {
  const bring = useAction('models.import')
  const [path, setPath] = useState('')
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setMissing(path.trim() === '')
    if (path.trim() !== '') bring.mutate({ paths: [path.trim()], own_name: name.trim() === '' ? null : name.trim() })
  }
  const { data, error } = bring
  return (
    <form className="setting models-import" onSubmit={submit}>
      <div className="setting-words">
        <p className="setting-label">{speechImportWords.title}</p>
        <p className="setting-text">{speechImportWords.text}</p>
      </div>
      <div className="models-import-fields">
        <TextField
          label={speechImportWords.path}
          help={speechImportWords.pathHelp}
          error={isMissing ? speechImportWords.missing : undefined}
          value={path}
          onChange={setPath}
          maxLength={4096}
        />
        <TextField
          label={speechImportWords.name}
          help={speechImportWords.nameHelp}
          value={name}
          onChange={setName}
          maxLength={80}
        />
        <Button type="submit" busy={bring.isPending ? speechImportWords.bringing : undefined}>
          {speechImportWords.bring}
        </Button>
      </div>
      <div role="status" className="setting-test-answer">
        {data && (
          <Notice
            tone={data.imported.length > 0 ? 'kept' : 'needs'}
            icon={CircleCheck}
            title={speechImportWords.done({ names: data.imported.map((model) => model.name) })}
          >
            {data.refused.map(({ file, why }) => (
              <p key={file}>
                {file}: {why}
              </p>
            ))}
          </Notice>
        )}
        {error && (
          <Notice tone="needs" icon={TriangleAlert} title={errorSentences[error.code].happened}>
            {error.detail ?? errorSentences[error.code].next}
          </Notice>
        )}
      </div>
    </form>
  )
}
