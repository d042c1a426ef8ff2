import { useState } from 'react'
import type { ErrorCode } from '#contract/errors.ts'
import type { ModelList } from '#contract/model/speech-model.ts'
import { BridgeFailure, call, useCall } from '#renderer/bridge/use-bridge.ts'
import { isWebAddress } from '#renderer/lib/places.ts'
import { canTranscribe, useSpeechInstall } from '#renderer/lib/speech-setup.tsx'
import { modelStrings } from '#renderer/strings/engines.ts'
import { errorSentences } from '#renderer/strings/errors.ts'
import { gateStrings } from '#renderer/strings/gate.ts'
import { formatBytes } from '#renderer/strings/time.ts'
import { RadioGroup } from '#renderer/ui/choice.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Loading, Notice, Problem } from '#renderer/ui/page.tsx'
import { Step } from './step.tsx'

const words = gateStrings.transcription

interface StepProps {
  readonly hasKeychain: boolean
  readonly onDone: () => void
}

export function TranscriptionStep(props: StepProps) {
  const list = useCall('models.list', {})
  const settings = useCall('settings.get', {})
  if (list.data !== undefined && settings.data !== undefined)
    return <Choice {...props} list={list.data} language={settings.data.language} />
  const error = list.error ?? settings.error
  if (error === null) return <Loading />
  return (
    <Step title={words.title} lead={words.laterText} nextLabel={words.finish.later} onNext={props.onDone}>
      <Problem code={error.code} onRetry={() => void list.refetch()} />
    </Step>
  )
}

type Way = keyof typeof words.finish
type Trouble = Readonly<{ title: string; text: string }>

function Choice({ hasKeychain, onDone, list, language }: StepProps & Readonly<{ list: ModelList; language: string }>) {
  const { missing, size, hasRoom, install } = useSpeechInstall(list, language)
  const isInstalled = missing.length === 0
  const [way, setWay] = useState<Way>(isInstalled || hasRoom ? 'here' : 'later')
  const [typed, setTyped] = useState(nothingTyped)
  const [isBusy, setBusy] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const finish = async (): Promise<void> => {
    setChecked(true)
    setTrouble(null)
    if (isWrong(way, typed)) return
    setBusy(true)
    const found = await setUp(way, typed, install).catch(troubleOf)
    setBusy(false)
    if (found === null) onDone()
    else setTrouble(found)
  }
  const choose = (chosen: Way): void => {
    setWay(chosen)
    setChecked(false)
    setTrouble(null)
  }
  const text = words.hereText({ size, free: formatBytes(list.machine.free_bytes) })
  const here = (
    <>
      {words.here} <span className="place-suggested">{gateStrings.place.suggested}</span>
    </>
  )
  const detail = isInstalled ? words.hereDone : hasRoom ? text : modelStrings.setup.noRoom({ size })
  return (
    <Step
      title={words.title}
      lead={words.lead}
      {...(way === 'here' && !isInstalled ? { hint: words.hint } : {})}
      nextLabel={words.finish[isInstalled && way === 'here' ? 'later' : way]}
      busy={isBusy && words.busy[way]}
      onNext={() => void finish()}
    >
      <RadioGroup
        label={words.label}
        isLabelHidden
        look="cards"
        value={way}
        isDisabled={isBusy}
        onChange={choose}
        options={[
          { value: 'here', label: here, detail, isDisabled: !isInstalled && !hasRoom },
          { value: 'folder', label: words.folder, detail: words.folderText },
          { value: 'server', label: words.server, detail: words.serverText },
          { value: 'later', label: words.later, detail: words.laterText },
        ]}
      />
      <WayFields way={way} typed={typed} setTyped={setTyped} isWrong={isChecked && isWrong(way, typed)} hasKey={hasKeychain} />
      {trouble !== null && <Notice tone="stopped" {...trouble} />}
    </Step>
  )
}

const nothingTyped = { path: '', address: '', key: '' }
type Typed = typeof nothingTyped

const isWrong = (way: Way, { path, address }: Typed): boolean =>
  way === 'folder' ? path.trim() === '' : way === 'server' && !isWebAddress(address.trim())

interface FieldsProps {
  readonly way: Way
  readonly typed: Typed
  readonly setTyped: (typed: Typed) => void
  readonly isWrong: boolean
  readonly hasKey: boolean
}

function WayFields({ way, typed, setTyped, isWrong: isRefused, hasKey }: FieldsProps) {
  const field = (name: keyof Typed) => ({
    value: typed[name],
    onChange: (text: string) => setTyped({ ...typed, [name]: text }),
  })
  if (way === 'folder')
    return <TextField label={words.path} help={words.pathHelp} error={isRefused && words.pathMissing} {...field('path')} />
  if (way !== 'server') return null
  const error = isRefused && words.addressWrong
  return (
    <div className="step-pair">
      <TextField label={words.address} help={words.addressHelp} type="url" error={error} {...field('address')} />
      {hasKey && <TextField label={words.key} help={words.keyHelp} type="password" {...field('key')} />}
    </div>
  )
}

/** Resolves to null if the choice works, or else to what the person can correct here. */
async function setUp(way: Way, typed: Typed, install: () => Promise<ErrorCode | null>): Promise<Trouble | null> {
  const [path, address, key] = [typed.path.trim(), typed.address.trim(), typed.key.trim()]
  if (way === 'server') {
    await call('settings.update', { speech_engine: 'server', speech_address: address })
    if (key !== '') await call('settings.setKey', { which: 'speech', key })
    const { ready, hint } = await call('settings.testSpeech', {})
    return ready ? null : { title: words.notReady, text: [hint, words.notReadyHelp].filter(Boolean).join(' ') }
  }
  await call('settings.update', { speech_engine: 'local' })
  if (way === 'folder') {
    const { imported } = await call('models.import', { paths: [path], own_name: null })
    const names = imported.map(({ name }) => name)
    if (!canTranscribe(await call('models.list', {}))) return { title: words.partly({ names }), text: words.partlyHelp }
  }
  const code = way === 'here' ? await install() : null
  return code === null ? null : troubleOf(new BridgeFailure(code))
}

function troubleOf(error: unknown): Trouble {
  if (!(error instanceof BridgeFailure)) throw error
  const { happened, kept, next } = errorSentences[error.code]
  return { title: error.detail ?? happened, text: `${kept} ${next}` }
}
