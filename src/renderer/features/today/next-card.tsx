import { BatteryMedium, HardDrive, Mic, MicOff, PlugZap } from 'lucide-react'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import { useName } from '#renderer/lib/names.ts'
import { navigate, sessionPath } from '#renderer/lib/navigation.ts'
import { SPACE_EVERY_MS, useCall } from '#renderer/bridge/use-bridge.ts'
import { minutesWords, modalityWords, sessionNumberWords, sessionTypeWords, todayStrings } from '#renderer/strings/today.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Chip } from '#renderer/ui/chip.tsx'
import { formatClock } from '#renderer/strings/time.ts'
import { mayRecord } from '#renderer/sessions/session-status.ts'
import { useBattery, useMicrophoneCount } from './use-devices.ts'
import { useLastTime } from './use-last-time.ts'

const words = todayStrings.card

/** The next sensible step of the day, with what it needs. */
export function NextCard({ row, now }: { readonly row: SessionRow; readonly now: Date }) {
  const nameOf = useName()
  const { session } = row
  const isAgreed = mayRecord(row)
  const lastTime = useLastTime(session.client_id, session.starts_at)
  const isOn = row.recording !== null && row.recording.state !== 'erased'
  const kind = [
    sessionTypeWords[session.session_type],
    minutesWords(session.duration_minutes),
    modalityWords[session.modality],
    sessionNumberWords(row.number),
  ].join(' · ')
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
            <p className="today-kind">{kind}</p>
            {lastTime !== null && <p className="next-card-last">{words.lastTime(lastTime)}</p>}
          </div>
          <Button
            variant="filled"
            size="large"
            icon={Mic}
            onPress={() => navigate(sessionPath(session.id, isAgreed || isOn ? 'record' : 'consent'))}
          >
            {isOn ? words.goOn : isAgreed ? words.start : words.ask}
          </Button>
        </div>
        <Readiness now={now} />
      </div>
    </article>
  )
}

/** What the laptop is ready for, as far as it can be known without opening the microphone. */
function Readiness({ now }: { readonly now: Date }) {
  const microphones = useMicrophoneCount()
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
          {battery.minutes === null ? <PlugZap aria-hidden /> : <BatteryMedium aria-hidden />}
          {batteryWords(battery.minutes)}
        </li>
      )}
    </ul>
  )
}

function batteryWords(minutes: number | null): string {
  if (minutes === null) return words.mains
  return minutes < 60 ? words.batteryShort(minutes) : words.battery(Math.floor(minutes / 60))
}
