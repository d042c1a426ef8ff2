import { useState, type ComponentProps } from 'react'
import { isErrorCode } from '#contract/errors.ts'
import type { SpeechModel } from '#contract/model/speech-model.ts'
import { call, useAction, useAttempt } from '#renderer/bridge/use-bridge.ts'
import { errorSentences } from '#renderer/strings/errors.ts'
import { modelStrings } from '#renderer/strings/engines.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Chip } from '#renderer/ui/chip.tsx'
import { ConfirmDialog } from '#renderer/ui/dialog.tsx'
import { Problem } from '#renderer/ui/page.tsx'

const words = modelStrings
const removal = modelStrings.removal

type ModelRowProps = Readonly<{ model: SpeechModel; language: string; canTest: boolean; isOneOfMany: boolean }>

export function ModelRow({ model, language, canTest, isOneOfMany }: ModelRowProps) {
  return (
    <li className="models-row">
      <div className="models-words">
        <p className="models-name">
          {model.name} <Standing model={model} isOneOfMany={isOneOfMany} />
        </p>
        <p className="setting-text">{factsOf(model, language)}</p>
        <Remarks model={model} />
      </div>
      <Actions model={model} canTest={canTest} isOneOfMany={isOneOfMany} />
      {model.operation !== null && <Progress model={model} progress={model.operation.progress} />}
    </li>
  )
}

function Standing({ model, isOneOfMany }: Pick<ModelRowProps, 'model' | 'isOneOfMany'>) {
  const { state, installed, recommended } = model
  if (state === 'damaged') return <Chip tone="needs">{words.damaged}</Chip>
  if (installed !== null) {
    return (
      <>
        <Chip tone="kept">{installed.chosen && isOneOfMany ? words.inUse : words.installed}</Chip>
        {installed.origin === 'own' && <Chip>{words.own}</Chip>}
      </>
    )
  }
  return recommended ? <Chip>{words.recommended}</Chip> : null
}

function factsOf({ languages, megabytes, memory_mb, installed, task }: SpeechModel, language: string): string {
  const spoken = installed?.origin === 'own' ? words.languageUnknown : words.languages(languages, language)
  const facts = [
    words.size(installed === null ? megabytes : installed.bytes / 1_000_000),
    task === 'recognition' && spoken,
    installed === null && memory_mb !== null && memory_mb >= 500 && words.memory(memory_mb),
    task === 'recognition' && hourOf(installed),
  ]
  return facts.filter(Boolean).join(' · ')
}

function hourOf(installed: SpeechModel['installed']): string {
  if (installed === null) return words.hour.unknown
  const test = installed.self_test
  return test === null ? words.hour.untested : words.hour.measured((test.seconds_taken / test.seconds_of_sound) * 60)
}

function Remarks({ model }: { readonly model: SpeechModel }) {
  const { state, failure, installed, kept_bytes, operation, licence, notes } = model
  const lines = [
    state === 'damaged' && words.changed,
    failure !== null && operation === null && (failure.detail ?? sentenceOf(failure.code)),
    installed?.self_test_problem,
  ].filter((line) => typeof line === 'string')
  const from = installed?.files[0]?.checksum_from
  const checked = from === 'own' ? words.unchecked : from === 'source' ? words.checkedBySource : words.checkedHere
  return (
    <>
      {lines.map((line) => (
        <p key={line} className="models-remark">
          {line}
        </p>
      ))}
      {installed === null && operation === null && kept_bytes > 0 && (
        <p className="caption">{words.kept({ size: words.size(kept_bytes / 1_000_000) })}</p>
      )}
      <p className="caption">
        {[notes, installed === null ? null : checked, licence === null ? null : words.licence({ licence })]
          .filter(Boolean)
          .join(' ')}
      </p>
    </>
  )
}

function sentenceOf(code: string): string {
  const { happened, next } = errorSentences[isErrorCode(code) ? code : 'internal']
  return `${happened} ${next}`
}

function Progress({ model, progress }: { readonly model: SpeechModel; readonly progress: number }) {
  const quarter = Math.floor(progress * 4) * 25
  const isTrying = progress >= 0.98
  return (
    <div className="models-progress">
      <progress className="ui-progress" value={progress} max={1} aria-label={words.progressName({ name: model.name })} />
      <span className="caption">
        {model.state === 'queued' && words.waits}
        {model.state !== 'queued' &&
          (isTrying
            ? words.trying
            : words.coming({ done: words.size(progress * model.megabytes), all: words.size(model.megabytes) }))}
      </span>
      <span className="visually-hidden" role="status">
        {quarter > 0 ? words.quarter({ name: model.name, percent: quarter }) : ''}
      </span>
    </div>
  )
}

type Action = 'install' | 'cancel' | 'choose' | 'test' | 'remove'

function Actions({ model, canTest, isOneOfMany }: Omit<ModelRowProps, 'language'>) {
  const { doing, error, attempt } = useAttempt<Action>()
  const [isRemoving, setRemoving] = useState(false)
  const { id, name, state, installed, failure, kept_bytes, operation } = model
  const act = (action: Action) => () => void attempt(action, () => call(`models.${action}`, { id }))
  const hasRest = installed === null && operation === null && kept_bytes > 0
  const button = (action: Action, label: string, rest?: Partial<ComponentProps<typeof Button>>) => (
    <Button size="row" aria-label={`${label}, ${name}`} onPress={act(action)} label={label} {...rest} />
  )
  const installWords = state === 'damaged' ? words.repair : hasRest ? words.goOn : failure === null ? words.install : words.again
  return (
    <div className="models-actions">
      {operation !== null && button('cancel', words.stop)}
      {operation === null &&
        (installed === null || state === 'damaged') &&
        button('install', installWords, { busy: doing === 'install' && words.waits })}
      {hasRest && button('remove', words.discard, { variant: 'quiet' })}
      {state === 'installed' && isOneOfMany && !installed?.chosen && button('choose', words.use)}
      {state === 'installed' &&
        canTest &&
        operation === null &&
        button('test', words.test, { variant: 'quiet', busy: doing === 'test' && words.testing })}
      {installed !== null &&
        operation === null &&
        button('remove', words.remove, { variant: 'erasing', onPress: () => setRemoving(true) })}
      {error !== null && <Problem code={error} />}
      {isRemoving && <RemoveModelDialog model={model} onClose={() => setRemoving(false)} />}
    </div>
  )
}

function RemoveModelDialog({ model, onClose }: { readonly model: SpeechModel; readonly onClose: () => void }) {
  const { isPending, error, mutate } = useAction('models.remove', onClose)
  return (
    <ConfirmDialog
      title={removal.title({ name: model.name })}
      lead={removal.lead({ size: modelStrings.size((model.installed?.bytes ?? 0) / 1_000_000) })}
      onClose={onClose}
      cancel={removal.keep}
      submit={removal.remove}
      busy={isPending && modelStrings.removing}
      onConfirm={() => mutate({ id: model.id })}
    >
      {error && <Problem code={error.code} />}
    </ConfirmDialog>
  )
}
