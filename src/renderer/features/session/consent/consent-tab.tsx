import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { Recording } from '#contract/model/recording.ts'
import { DamagedSound, unreadableMs } from '#renderer/sessions/damaged-sound.tsx'
import { sessionWords } from '#renderer/strings/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Empty } from '#renderer/ui/page.tsx'
import { formatBytes, formatClock, formatDate, formatDayTime, formatLength, formatTimer } from '#renderer/strings/time.ts'
import { type SessionData, isRunning } from '../session-data.ts'
import { ConsentPeople } from './consent-people.tsx'
import { DiscardDialog } from '../record/discard-dialog.tsx'
import './consent.css'

export function ConsentTab({ data }: { readonly data: SessionData }) {
  return (
    <div className="tab-body consent-tab" data-region tabIndex={-1}>
      <ConsentPeople data={data} />
      <AudioFacts data={data} />
    </div>
  )
}

const words = sessionWords.audio

function AudioFacts({ data }: { readonly data: SessionData }) {
  const { recording } = data
  return (
    <section className="audio-facts" aria-labelledby="audio-title">
      <h2 id="audio-title" className="session-section-title">
        {words.audioTitle}
      </h2>
      {recording === null ? (
        <Empty title={words.none}>{words.noneHelp}</Empty>
      ) : recording.state === 'erased' ? (
        <Empty
          title={words.erased(
            formatDate(recording.erased_at ?? recording.started_at),
            formatClock(recording.erased_at ?? recording.started_at),
          )}
        />
      ) : (
        <>
          <DamagedSound recording={recording} />
          <Facts data={data} recording={recording} />
        </>
      )}
    </section>
  )
}

function Facts({ data, recording }: { readonly data: SessionData; readonly recording: Recording }) {
  const [isErasing, setErasing] = useState(false)
  const running = isRunning(recording)
  const breaks = recording.gaps.filter(({ reason }) => reason !== 'damage')
  const paused = breaks.reduce((sum, gap) => sum + gap.duration_ms, 0)
  const facts: readonly (readonly [string, string])[] = [
    [
      words.started,
      `${formatDate(recording.started_at)}, ${formatClock(recording.started_at)}${recording.finished_at === null ? '' : ` ${sessionWords.until} ${formatClock(recording.finished_at)}`}`,
    ],
    [words.length, formatLength(recording.saved_ms)],
    [words.saved, formatTimer(recording.saved_ms - unreadableMs(recording))],
    [words.size, formatBytes(recording.bytes)],
    [words.gapsTitle, breaks.length === 0 ? words.noGaps : `${words.gapsCount(breaks.length)} (${formatLength(paused)})`],
    [words.checked, recording.checked_at === null ? words.notChecked : formatDayTime(recording.checked_at)],
    [words.device, recording.device_label],
    [words.fingerprint, recording.ogg_sha256 ?? words.fingerprintLater],
  ]
  return (
    <div className="ui-card">
      <dl className="fact-list">
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd className="tabular">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="audio-encrypted">
        <ShieldCheck aria-hidden />
        {words.encrypted}
      </p>
      <Button variant="erasing" isDisabled={running} reason={words.running} onPress={() => setErasing(true)}>
        {words.erase}
      </Button>
      <DiscardDialog data={data} recording={recording} isOpen={isErasing} onClose={() => setErasing(false)} />
    </div>
  )
}
