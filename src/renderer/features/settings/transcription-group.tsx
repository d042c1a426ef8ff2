import { Download, TriangleAlert } from 'lucide-react'
import { isErrorCode } from '#contract/errors.ts'
import type { ModelList, SpeechModel } from '#contract/model/speech-model.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { navigate, settingsPath } from '#renderer/lib/routes.ts'
import { chosenModel, Coming, knowsLanguage, useSpeechInstall } from '#renderer/lib/speech-setup.tsx'
import { modelStrings as words } from '#renderer/strings/engines.ts'
import { formatBytes } from '#renderer/strings/time.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Answer, Notice, Problem } from '#renderer/ui/page.tsx'
import { Group, Row, SwitchSetting, useKnownSettings } from './setting.tsx'

export function TranscriptionGroup() {
  const { answer, isRefused, isManagedElsewhere } = useModels()
  return (
    <Group title={words.group}>
      {isManagedElsewhere && <Row label={words.group} text={words.elsewhere} />}
      {!isRefused && <Answer of={answer}>{(list) => !isManagedElsewhere && <Transcription list={list} />}</Answer>}
    </Group>
  )
}

export function useModels() {
  const answer = useCall('models.list', {})
  const isRefused = answer.error?.code === 'not-found' || answer.error?.code === 'forbidden'
  return { answer, isRefused, isManagedElsewhere: isRefused || answer.data?.machine.imports === false }
}

function Transcription({ list }: { readonly list: ModelList }) {
  const { language } = useKnownSettings()
  const recogniser = chosenModel(list.data, 'recognition')
  const show = <Button onPress={() => navigate(settingsPath('advanced', words.models))} label={words.showModels} />
  return (
    <>
      <Row label={standing(list.data)} text={hasVoices(list.data) ? words.voices : words.noVoices} />
      {recogniser !== undefined && !knowsLanguage(recogniser, language) && (
        <div className="setting">
          <Notice tone="needs" icon={TriangleAlert} text={words.otherLanguage(recogniser.name, language)} />
        </div>
      )}
      <RecommendedSet list={list} language={language} />
      {chosenModel(list.data, 'denoise') !== undefined && (
        <SwitchSetting name="reduce_noise" words={{ label: words.noise.label, on: words.noise.text, off: words.noise.text }} />
      )}
      <Row label={words.models} text={words.asked} action={show} />
    </>
  )
}

function standing(models: readonly SpeechModel[]): string {
  if (chosenModel(models, 'recognition') === undefined) return words.none
  return chosenModel(models, 'vad') === undefined ? words.half : words.ready
}

const hasVoices = (models: readonly SpeechModel[]): boolean =>
  chosenModel(models, 'segmentation') !== undefined && chosenModel(models, 'embedding') !== undefined

function RecommendedSet({ list, language }: { readonly list: ModelList; readonly language: string }) {
  const { missing, isComing, failure, size, all, done, doing, error, install, cancel } = useSpeechInstall(list, language)
  if (isComing) {
    return (
      <div className="setting">
        <Coming done={done} all={all} onCancel={() => void cancel()} />
      </div>
    )
  }
  if (missing.length === 0) return null
  const free = words.set.space({ free: formatBytes(list.machine.free_bytes) })
  const label = words.set.install({ size })
  const button = <Button icon={Download} busy={doing !== null && words.waits} onPress={() => void install()} label={label} />
  return (
    <Row label={words.set.title} text={free} action={button}>
      {failure !== null && <Problem code={isErrorCode(failure.code) ? failure.code : 'internal'} />}
      {error !== null && <Problem code={error} />}
    </Row>
  )
}
