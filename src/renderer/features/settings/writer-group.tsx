import { CircleCheck, TriangleAlert } from 'lucide-react'
import type { Settings } from '#contract/bridge/settings.ts'
import { placesOf, isWebAddress } from '#renderer/lib/places.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { settingsStrings } from '#renderer/strings/settings.ts'
import { writerWords as words, writerWords, writerChoices } from '#renderer/strings/engines.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { ChoiceSetting, Group, TextSetting, Told, type GroupProps, KeySetting } from './setting.tsx'

const orNull = (value: string): string | null => (value === '' ? null : value)

export function WriterGroup({ settings }: GroupProps) {
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
      {engine === 'server' && <ModelServer settings={settings} />}
      {engine === 'model' && <LocalModel settings={settings} />}
    </Group>
  )
}

function ModelServer({ settings }: GroupProps) {
  const address = settings.language_address
  const context = settings.language_context_tokens
  return (
    <>
      <WhereWordsGo settings={settings} />
      <TextSetting
        label={words.address}
        help={words.addressHelp}
        value={address ?? ''}
        check={(value) => (value === '' || isWebAddress(value) ? null : settingsStrings.wrongAddress)}
        patch={(value) => ({ language_address: orNull(value) })}
      />
      <KeySetting
        which="language"
        hasKey={settings.language_has_key}
        text={settings.language_has_key ? words.keySet : words.keyNone}
      />
      <div className="setting-pair">
        <TextSetting
          label={words.model}
          help={words.modelHelp}
          value={settings.language_model ?? ''}
          patch={(value) => ({ language_model: orNull(value) })}
        />
        <TextSetting
          label={words.context}
          help={words.contextHelp}
          value={context === null ? '' : String(context)}
          check={(value) => (value === '' || (/^\d{4,7}$/.test(value) && Number(value) >= 1024) ? null : words.contextWrong)}
          patch={(value) => ({ language_context_tokens: value === '' ? null : Number(value) })}
        />
      </div>
      {address !== null && <ServerTest key={address} settings={settings} />}
    </>
  )
}

function WhereWordsGo({ settings }: { readonly settings: Settings }) {
  const { writer_host } = placesOf(settings)
  const address = settings.language_address
  if (writer_host !== null) {
    return (
      <Notice tone="needs" icon={TriangleAlert} title={words.elsewhere.title({ host: writer_host })}>
        {words.elsewhere.text}
      </Notice>
    )
  }
  return (
    <Told label={words.where.label}>
      {address === null ? words.where.none : words.where.here({ host: new URL(address).host })}
    </Told>
  )
}

function ServerTest({ settings }: GroupProps) {
  const test = useAction('settings.testLanguage')
  const chosen = settings.language_model
  const offered = test.data?.models ?? []
  const models = chosen === null || offered.includes(chosen) ? offered : [chosen, ...offered]
  return (
    <>
      {offered.length > 0 && (
        <ChoiceSetting
          label={words.offered}
          text={words.modelChoice({ model: chosen })}
          value={chosen ?? ''}
          options={models.map((value) => ({ value, label: value }))}
          patch={(value) => ({ language_model: orNull(value) })}
        />
      )}
      <div className="setting setting-test">
        <Button busy={test.isPending ? words.testing : undefined} onPress={() => test.mutate({})}>
          {words.test}
        </Button>
        <div role="status" className="setting-test-answer">
          {test.data?.ready && (
            <Notice tone="kept" icon={CircleCheck} title={words.ready}>
              {offered.length > 0 && words.models({ count: offered.length })}
            </Notice>
          )}
          {test.data && !test.data.ready && (
            <Notice tone="needs" icon={TriangleAlert} title={words.notReady}>
              {test.data.hint}
            </Notice>
          )}
          {test.error && <Problem code={test.error.code} />}
        </div>
      </div>
    </>
  )
}

const localModelWords = writerWords.local

function LocalModel({ settings }: GroupProps) {
  const { data, error, isFetching, refetch } = useCall('settings.draftModels', {})
  const chosen = settings.language_file
  if (error !== null) return <Problem code={error.code} onRetry={() => void refetch()} />
  if (data === undefined) return null
  if (!data.offered) {
    return (
      <Notice tone="needs" icon={TriangleAlert} title={localModelWords.notOffered}>
        {localModelWords.notOfferedHelp}
      </Notice>
    )
  }
  const there = data.files.map(({ name, bytes }) => ({ value: name, label: name, detail: localModelWords.size(bytes) }))
  const isGone = chosen !== null && !data.files.some(({ name }) => name === chosen)
  const options = isGone ? [{ value: chosen, label: chosen, detail: localModelWords.gone }, ...there] : there
  return (
    <>
      {!data.installed && (
        <Notice tone="needs" icon={TriangleAlert} title={localModelWords.notInstalled}>
          {localModelWords.notInstalledHelp}
        </Notice>
      )}
      <Told label={localModelWords.folder}>{localModelWords.folderText({ folder: data.folder })}</Told>
      {options.length === 0 ? (
        <Told label={localModelWords.file}>{localModelWords.none}</Told>
      ) : (
        <ChoiceSetting
          label={localModelWords.file}
          text={localModelWords.fileText({ name: chosen })}
          note={localModelWords.stays}
          value={chosen ?? ''}
          options={options}
          patch={(language_file) => ({ language_file: language_file === '' ? null : language_file })}
        />
      )}
      <div className="setting setting-test">
        <Button busy={isFetching ? localModelWords.look : undefined} onPress={() => void refetch()}>
          {localModelWords.look}
        </Button>
      </div>
    </>
  )
}
