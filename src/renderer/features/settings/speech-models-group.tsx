import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import type { ModelList, ModelTask, SpeechModel } from '#contract/model/speech-model.ts'
import { textOrNull } from '#renderer/lib/text.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { modelStrings } from '#renderer/strings/engines.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Answer, Notice } from '#renderer/ui/page.tsx'
import { errorSentences } from '#renderer/strings/errors.ts'
import { TextField } from '#renderer/ui/field.tsx'
import { checkAddress, Group, TextSetting, useKnownSettings } from './setting.tsx'
import { ModelRow } from './speech-model-row.tsx'
import { useModels } from './transcription-group.tsx'
import './speech-models.css'

const words = modelStrings
const importWords = modelStrings.import
const tasks: readonly ModelTask[] = ['recognition', 'vad', 'segmentation', 'embedding', 'denoise']

export function SpeechModelsGroup() {
  const { answer, isManagedElsewhere } = useModels()
  if (isManagedElsewhere) return null
  return (
    <Group title={words.models}>
      <Answer of={answer}>{(list) => <Models list={list} />}</Answer>
    </Group>
  )
}

function Models({ list }: { readonly list: ModelList }) {
  const { language } = useKnownSettings()
  const [isAll, setAll] = useState(false)
  const few = list.data.filter(isAtHand)
  const count = list.data.length - few.length
  return (
    <>
      {tasks.map((task) => (
        <TaskModels
          key={task}
          task={task}
          models={(isAll ? list.data : few).filter((model) => model.task === task)}
          language={language}
          canTest={list.machine.tests}
        />
      ))}
      {count > 0 && (
        <div className="setting">
          <Button aria-expanded={isAll} onPress={() => setAll(!isAll)} label={isAll ? words.showFew : words.showAll({ count })} />
        </div>
      )}
      <ImportModels />
      <TextSetting name="model_mirror" label={words.mirror.label} help={words.mirror.help} check={checkAddress} />
    </>
  )
}

type TaskModelsProps = Readonly<{ task: ModelTask; models: readonly SpeechModel[]; language: string; canTest: boolean }>

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

function ImportModels() {
  const bring = useAction('models.import')
  const [path, setPath] = useState('')
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setMissing(path.trim() === '')
    if (path.trim() !== '') bring.mutate({ paths: [path.trim()], own_name: textOrNull(name) })
  }
  const { data, error } = bring
  const wrong = error && errorSentences[error.code]
  return (
    <form className="setting models-import" onSubmit={submit}>
      <div className="setting-words">
        <p className="setting-label">{importWords.title}</p>
        <p className="setting-text">{importWords.text}</p>
      </div>
      <div className="models-import-fields">
        <TextField
          label={importWords.path}
          help={importWords.pathHelp}
          error={isMissing && importWords.missing}
          value={path}
          onChange={setPath}
          maxLength={4096}
        />
        <TextField label={importWords.name} help={importWords.nameHelp} value={name} onChange={setName} maxLength={80} />
        <Button type="submit" busy={bring.isPending && importWords.bringing} label={importWords.bring} />
      </div>
      <div role="status" className="setting-test-answer">
        {data && (
          <Notice
            tone={data.imported.length > 0 ? 'kept' : 'needs'}
            icon={CircleCheck}
            title={importWords.done({ names: data.imported.map((model) => model.name) })}
          >
            {data.refused.map(({ file, why }) => (
              <p key={file}>
                {file}: {why}
              </p>
            ))}
          </Notice>
        )}
        {wrong && <Notice tone="needs" icon={TriangleAlert} title={wrong.happened} text={error.detail ?? wrong.next} />}
      </div>
    </form>
  )
}
