import { useState } from 'react'
import type { UpdateState } from '#contract/bridge/updates.ts'
import { useAppState } from '#renderer/lib/app-state.ts'
import { call, useCall, useAttempt } from '#renderer/bridge/use-bridge.ts'
import { updateStrings } from '#renderer/strings/app.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { formatBytes, formatDayTime, formatFullDate } from '#renderer/strings/time.ts'
import { Group, SwitchSetting, TextSetting, Row } from './setting.tsx'
import './updates.css'

const words = updateStrings

export function UpdatesGroup() {
  const { data: state } = useCall('updates.state', {})
  if (state === undefined) return null
  const { delivery } = state
  if (delivery !== 'install' && delivery !== 'notify') {
    return (
      <Group title={words.group}>
        <Row label={words.howUpdated} text={words.otherDelivery[delivery]} />
      </Group>
    )
  }
  return (
    <Group title={words.group}>
      <SwitchSetting name="updates_check" words={words.automatic} />
      <UpdateStatus state={state} />
      <TextSetting
        name="updates_mirror"
        label={words.mirror.label}
        help={words.mirror.help}
        check={(value) => (value === '' || isMirrorAddress(value) ? null : words.mirror.wrong)}
      />
    </Group>
  )
}

type StatusProps = Readonly<{ state: UpdateState }>

const atRest: ReadonlySet<UpdateState['phase']> = new Set(['idle', 'checking', 'up-to-date'])

function UpdateStatus({ state }: StatusProps) {
  const version = useAppState()?.app_version ?? ''
  const { phase, offered, failure, obstacle } = state
  const text = textOf(state)
  const isOffered = offered !== null && !atRest.has(phase)
  return (
    <div className="setting">
      <div className="setting-words">
        <p className="setting-label" role="status">
          {titleOf(state, version)}
        </p>
        {text !== '' && <p className="setting-text">{text}</p>}
        {failure !== null && (
          <p className="updates-failure" role="alert">
            {words.failures[failure]}
          </p>
        )}
        {phase === 'ready' && obstacle !== null && <p className="updates-obstacle">{words.obstacles[obstacle]}</p>}
      </div>
      <UpdateActions state={state} />
      {phase === 'downloading' && <DownloadProgress state={state} />}
      {isOffered && offered.address !== null && <PackageAddress address={offered.address} />}
      {isOffered && offered.notes !== null && (
        <section className="updates-part" aria-label={words.whatsNew}>
          <h3 className="updates-notes-title">{words.whatsNew}</h3>
          <p className="updates-notes">{offered.notes}</p>
        </section>
      )}
    </div>
  )
}

function titleOf({ phase, offered }: UpdateState, version: string): string {
  if (phase === 'checking') return words.checking
  if (phase === 'up-to-date') return words.upToDate({ version })
  if (phase === 'failed') return words.failed
  if (offered === null || phase === 'idle') return words.idle({ version })
  if (phase === 'available') return words.available({ version: offered.version })
  return phase === 'downloading' ? words.downloading({ version: offered.version }) : words.ready({ version: offered.version })
}

function textOf({ phase, offered, checked_at }: UpdateState): string {
  if (phase === 'ready' || phase === 'installing') return words.readyText
  if (phase === 'downloading') return words.keepWorking
  if (phase === 'available' && offered !== null) return factsOf(offered)
  if (phase === 'failed' && checked_at === null) return ''
  return checked_at === null ? words.idleText : words.checkedAt({ when: formatDayTime(checked_at) })
}

const factsOf = ({ released_at, bytes }: NonNullable<UpdateState['offered']>): string =>
  words.facts({
    date: released_at === null ? null : formatFullDate(released_at),
    size: bytes === null ? null : formatBytes(bytes),
  })

function UpdateActions({ state }: StatusProps) {
  const { delivery, phase, offered, obstacle } = state
  const { error, attempt } = useAttempt<'check' | 'download' | 'install'>()
  const act = (action: 'check' | 'download' | 'install') => () => void attempt(action, () => call(`updates.${action}`, {}))
  const canDownload = delivery === 'install' && offered !== null
  return (
    <div className="setting-actions">
      {(atRest.has(phase) || (phase === 'available' && !canDownload)) && (
        <Button busy={phase === 'checking' && words.checking} onPress={act('check')} label={words.check} />
      )}
      {phase === 'available' && canDownload && <Button variant="filled" onPress={act('download')} label={words.download} />}
      {phase === 'failed' && (
        <Button onPress={act(canDownload ? 'download' : 'check')} label={canDownload ? words.downloadAgain : words.tryAgain} />
      )}
      {(phase === 'ready' || phase === 'installing') && (
        <Button
          variant="filled"
          busy={phase === 'installing' && words.installing}
          isDisabled={obstacle === 'recording'}
          onPress={act('install')}
          label={words.install}
        />
      )}
      {error !== null && <Problem code={error} />}
    </div>
  )
}

function DownloadProgress({ state: { offered, progress } }: StatusProps) {
  const percent = Math.floor((progress ?? 0) * 100)
  const quarter = Math.floor(percent / 25) * 25
  const label = words.downloading({ version: offered?.version ?? '' })
  return (
    <div className="updates-progress">
      <progress className="ui-progress" value={progress ?? 0} max={1} aria-label={label} />
      <span className="caption">{words.progress({ percent, size: offered?.bytes ? formatBytes(offered.bytes) : null })}</span>
      <span className="visually-hidden" role="status">
        {quarter > 0 ? words.quarter({ percent: quarter }) : ''}
      </span>
    </div>
  )
}

function PackageAddress({ address }: { readonly address: string }) {
  const [copied, setCopied] = useState<string | null>(null)
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(address)
      setCopied(words.copied)
    } catch {
      setCopied(words.notCopied)
    }
  }
  return (
    <div className="updates-part">
      <p className="setting-text">{words.packaged}</p>
      <div className="updates-address">
        <code>{address}</code>
        <Button size="row" onPress={() => void copy()} label={words.copyAddress} />
        <span className="caption" role="status">
          {copied}
        </span>
      </div>
    </div>
  )
}

function isMirrorAddress(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname } = new URL(value)
  return protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname))
}
