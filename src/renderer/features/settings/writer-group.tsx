import { TriangleAlert } from 'lucide-react'
import { navigate, settingsPath } from '#renderer/lib/routes.ts'
import { placesOf } from '#renderer/lib/places.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { writerWords as words, writerWords, writerChoices } from '#renderer/strings/engines.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { checkAddress, ChoiceSetting, Group, TextSetting, Row, KeySetting, ServerTest, useKnownSettings } from './setting.tsx'

const local = writerWords.local

export function WriterGroup() {
  const settings = useKnownSettings()
  const { language_engine: engine, language_model, language_file } = settings
  const isOffered = useCall('settings.draftModels', {}).data?.offered === true
  const model = engine === 'server' ? language_model : language_file
  return (
    <Group title={words.title}>
      <ChoiceSetting
        label={words.choice.label}
        text={engine === 'rules' ? words.choice.rules : words.choice.byModel({ model })}
        value={engine}
        options={writerChoices(engine, isOffered)}
        patch={(language_engine) => ({ language_engine })}
      />
      {engine === 'server' && <ModelServer />}
      {engine === 'model' && <LocalModelState />}
    </Group>
  )
}

function ModelServer() {
  const settings = useKnownSettings()
  const { language_address: address, language_model: chosen } = settings
  return (
    <>
      <WhereWordsGo />
      <TextSetting name="language_address" label={words.address} help={words.addressHelp} check={checkAddress} />
      <KeySetting which="language" kept={words.keySet} none={words.keyNone} />
      <div className="setting-pair">
        <TextSetting name="language_model" label={words.model} help={words.modelHelp} />
        <TextSetting
          name="language_context_tokens"
          isNumber
          label={words.context}
          help={words.contextHelp}
          check={(value) => (value === '' || (/^\d{4,7}$/.test(value) && Number(value) >= 1024) ? null : words.contextWrong)}
        />
      </div>
      {address !== null && (
        <ServerTest key={address} method="settings.testLanguage" words={words} offers={(count) => words.models({ count })}>
          {(models) => (
            <ChoiceSetting
              label={words.offered}
              text={words.modelChoice({ model: chosen })}
              value={chosen ?? ''}
              options={offeredWith(chosen, models).map((value) => ({ value, label: value }))}
              patch={(value) => ({ language_model: value === '' ? null : value })}
            />
          )}
        </ServerTest>
      )}
    </>
  )
}

const offeredWith = (chosen: string | null, models: readonly string[]): readonly string[] =>
  chosen === null || models.includes(chosen) ? models : [chosen, ...models]

function WhereWordsGo() {
  const settings = useKnownSettings()
  const { writer_host } = placesOf(settings)
  const address = settings.language_address
  const { label, none, here } = words.where
  if (writer_host === null) return <Row label={label} text={address === null ? none : here({ host: new URL(address).host })} />
  return (
    <Notice tone="needs" icon={TriangleAlert} title={words.elsewhere.title({ host: writer_host })} text={words.elsewhere.text} />
  )
}

function LocalModelState() {
  const { data, error, refetch } = useCall('settings.draftModels', {})
  const { language_file: name } = useKnownSettings()
  if (error !== null) return <Problem code={error.code} onRetry={() => void refetch()} />
  if (data === undefined) return null
  if (!data.offered) {
    return <Notice tone="needs" icon={TriangleAlert} title={local.notOffered} text={local.notOfferedHelp} />
  }
  const choose = <Button onPress={() => navigate(settingsPath('advanced', local.group))} label={local.choose} />
  return (
    <>
      {!data.installed && <Notice tone="needs" icon={TriangleAlert} title={local.notInstalled} text={local.notInstalledHelp} />}
      <Row label={local.file} text={`${local.fileText({ name })} ${local.stays}`} action={choose} />
    </>
  )
}

/** The files of models that draft on this computer. */
export function DraftModelGroup() {
  const { language_engine, language_file: chosen } = useKnownSettings()
  const isOn = language_engine === 'model'
  const { data, isFetching, refetch } = useCall('settings.draftModels', {}, { enabled: isOn })
  if (!isOn || data?.offered !== true) return null
  const there = data.files.map(({ name, bytes }) => ({ value: name, label: name, detail: local.size(bytes) }))
  const isGone = chosen !== null && !data.files.some(({ name }) => name === chosen)
  const options = isGone ? [{ value: chosen, label: chosen, detail: local.gone }, ...there] : there
  return (
    <Group title={local.group}>
      <Row label={local.folder} text={local.folderText({ folder: data.folder })} />
      {options.length === 0 ? (
        <Row label={local.file} text={local.none} />
      ) : (
        <ChoiceSetting
          label={local.file}
          text={local.fileText({ name: chosen })}
          value={chosen ?? ''}
          options={options}
          patch={(language_file) => ({ language_file: language_file === '' ? null : language_file })}
        />
      )}
      <div className="setting setting-test">
        <Button busy={isFetching && local.look} onPress={() => void refetch()} label={local.look} />
      </div>
    </Group>
  )
}
