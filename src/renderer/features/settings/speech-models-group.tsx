import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { Settings } from '#contract/bridge/settings.ts'
import type { ModelList, ModelTask, SpeechModel } from '#contract/model/speech-model.ts'
import { isWebAddress } from '#renderer/lib/web-address.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { modelStrings } from '#renderer/strings/models.ts'
import { settingsStrings } from '#renderer/strings/settings.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Loading, Notice, Problem } from '#renderer/ui/page.tsx'
import { Group, SwitchSetting, TextSetting, Told, type GroupProps } from './setting.tsx'
import { ImportModels } from './speech-import.tsx'
import { knowsLanguage } from './speech-language.ts'
import { ModelRow } from './speech-model-row.tsx'
import { RecommendedSet } from './speech-recommended.tsx'
import './speech-models.css'

const words = modelStrings
const tasks: readonly ModelTask[] = ['recognition', 'vad', 'segmentation', 'embedding', 'denoise']

/** What of speech this laptop can do by itself, and the models for it. */
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
            {isAll ? words.showFew : words.showAll(others)}
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

/** A recogniser writes words of its own language, whatever is said. */
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

/** What somebody would look for first; the rest of the catalogue is one press away. */
const isAtHand = (model: SpeechModel): boolean =>
  model.recommended || model.installed !== null || model.operation !== null || model.failure !== null || model.kept_bytes > 0

const chosen = (models: readonly SpeechModel[], task: ModelTask): SpeechModel | undefined =>
  models.find((model) => model.task === task && model.state === 'installed' && model.installed?.chosen)

function standing(models: readonly SpeechModel[]): string {
  const recogniser = chosen(models, 'recognition')
  if (recogniser === undefined) return words.none
  return chosen(models, 'vad') === undefined ? words.half : words.ready(recogniser.name)
}

const hasVoices = (models: readonly SpeechModel[]): boolean =>
  chosen(models, 'segmentation') !== undefined && chosen(models, 'embedding') !== undefined
