import { BatteryMedium, HardDrive, Mic, MicOff, PlugZap, ShieldAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import { useName } from '#renderer/lib/names.ts'
import { useMicrophones } from '#renderer/lib/use-microphones.ts'
import { clientPath, navigate, sessionPath } from '#renderer/lib/routes.ts'
import { chooseToStart } from '#renderer/lib/start-session.ts'
import { SPACE_EVERY_MS, useCall } from '#renderer/bridge/use-bridge.ts'
import { minutesWords, modalityWords, sessionNumberWords, sessionTypeWords, todayStrings } from '#renderer/strings/today.ts'
import { briefWords } from '#renderer/strings/insights.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Chip } from '#renderer/ui/chip.tsx'
import { formatClock, formatDay } from '#renderer/strings/time.ts'
import { AppointmentRow } from '#renderer/sessions/appointment-menu.tsx'
import { mayRecord, signedStatuses } from '#renderer/sessions/session-status.ts'

const words = todayStrings.card

export function NextCard({ row, now }: { readonly row: SessionRow; readonly now: Date }) {
  const nameOf = useName()
  const { session } = row
  const isAgreed = mayRecord(row)
  const isOn = row.recording !== null && row.recording.state !== 'erased'
  const type = sessionTypeWords[session.session_type]
  const length = minutesWords({ minutes: session.duration_minutes })
  const start = (): void => {
    if (isAgreed && !isOn) chooseToStart(session.id)
    navigate(sessionPath(session.id, isAgreed || isOn ? 'record' : 'consent'))
  }
  return (
    <article className="next-card" aria-label={nameOf(row.client_name)}>
      <time className="today-time next-card-time" dateTime={session.starts_at}>
        {formatClock(session.starts_at)}
      </time>
      <div className="next-card-body">
        <div className="next-card-top">
          <div className="next-card-words">
            <h2 className="next-card-name">
              {nameOf(row.client_name)}
              {isAgreed ? <Chip tone="kept">{words.consentGiven}</Chip> : <Chip tone="needs">{todayStrings.chip.noConsent}</Chip>}
            </h2>
            <p className="today-kind">
              {[type, length, modalityWords[session.modality], sessionNumberWords({ number: row.number })].join(' · ')}
            </p>
          </div>
          <Button
            variant="filled"
            size="large"
            icon={Mic}
            onPress={start}
            label={isOn ? words.goOn : isAgreed ? words.start : words.ask}
          />
          <AppointmentRow row={row} />
        </div>
        <LastTime session={session} now={now} />
        <Readiness now={now} />
      </div>
    </article>
  )
}

function Readiness({ now }: { readonly now: Date }) {
  const microphones = useMicrophones()?.length ?? null
  const battery = useBattery(now)
  const space = useCall('recordings.space', {}, { everyMs: SPACE_EVERY_MS }).data
  const hours = space === undefined ? null : Math.floor(space.hours)
  return (
    <ul className="next-card-ready">
      {microphones !== null && (
        <li data-needs={microphones === 0 || undefined}>
          {microphones === 0 ? <MicOff aria-hidden /> : <Mic aria-hidden />}
          {microphones === 0 ? words.noMicrophone : words.microphone}
        </li>
      )}
      {hours !== null && (
        <li data-needs={hours === 0 || undefined}>
          <HardDrive aria-hidden />
          {hours === 0 ? words.noSpace : words.space(hours)}
        </li>
      )}
      {battery !== null && (
        <li className="next-card-battery">
          {battery === 'charging' ? <PlugZap aria-hidden /> : <BatteryMedium aria-hidden />}
          {batteryWords(battery)}
        </li>
      )}
    </ul>
  )
}

function batteryWords(minutes: number | 'charging'): string {
  if (minutes === 'charging') return words.mains
  return minutes < 60 ? words.batteryShort({ minutes }) : words.battery({ hours: Math.floor(minutes / 60) })
}

/** More is in the brief. */
const MAX_STATEMENTS = 2
const shortened = (texts: readonly string[]): string =>
  `${texts.slice(0, MAX_STATEMENTS).join(' ')}${texts.length > MAX_STATEMENTS ? ' …' : ''}`

function LastTime({ session: { client_id, starts_at }, now }: { readonly session: SessionRow['session']; readonly now: Date }) {
  const brief = useCall('clients.brief', { client_id, before: starts_at }).data
  if (brief === undefined || brief.last_session === null) return null
  const { plan, safety, note } = brief
  const planned = shortened(plan.map(({ text }) => text).filter((text) => !/^next appointment\b/i.test(text)))
  const isSigned = note !== null && signedStatuses.has(note.status)
  return (
    <div className="next-card-last">
      {planned !== '' && <p>{isSigned ? words.lastTime({ words: planned }) : words.lastTimeDraft({ words: planned })}</p>}
      {safety !== null && (
        <p className="next-card-safety">
          <ShieldAlert aria-hidden />
          {words.safety({ day: formatDay(safety.starts_at, now), words: shortened(safety.texts) })}
        </p>
      )}
      <a href={`#${clientPath(client_id, 'brief')}`}>{briefWords.tab}</a>
    </div>
  )
}

/** From the Battery Status API, which Chromium supports and TypeScript's DOM types lack. */
interface Battery {
  readonly charging: boolean
  /** Seconds; Infinity while charging or if unknown. */
  readonly dischargingTime: number
  readonly level: number
}

function useBattery(now: Date): number | 'charging' | null {
  const [power, setPower] = useState<number | 'charging' | null>(null)
  useEffect(() => {
    const { getBattery } = navigator as Navigator & { getBattery?: () => Promise<Battery> }
    if (getBattery === undefined) return undefined
    let isGone = false
    const look = async (): Promise<void> => {
      const battery = await getBattery.call(navigator)
      if (isGone) return
      if (battery.charging) setPower(battery.level < 1 ? 'charging' : null)
      else setPower(Number.isFinite(battery.dischargingTime) ? Math.round(battery.dischargingTime / 60) : null)
    }
    void look()
    return () => {
      isGone = true
    }
  }, [now])
  return power
}
