import { Check, Info, LifeBuoy, Mic } from 'lucide-react'
import { useState } from 'react'
import type { MethodOutput } from '#contract/bridge/methods.ts'
import type { Recording } from '#contract/model/recording.ts'
import { SavedSound } from '#renderer/audio/player-bar.tsx'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { call, useAttempt, useCall } from '#renderer/bridge/use-bridge.ts'
import { useName } from '#renderer/lib/names.ts'
import { navigate, sessionPath } from '#renderer/lib/routes.ts'
import { isUnreadable, unreadableMs } from '#renderer/sessions/damage.ts'
import { DamagedSound } from '#renderer/sessions/damaged-sound.tsx'
import { recoveryWords as words, reportWords } from '#renderer/strings/recovery.ts'
import { formatClock, formatDay, formatLength } from '#renderer/strings/time.ts'
import { Button } from '#renderer/ui/button.tsx'
import { ConfirmDialog, Dialog } from '#renderer/ui/dialog.tsx'
import { Notice, Pairs, Problem } from '#renderer/ui/page.tsx'
import { lostOf, orLost, wasFound, wayOf, type Way } from './recovery-facts.ts'

type Entry = MethodOutput<'recordings.recoverable'>[number]
type Doing = 'resume' | 'finish' | 'erase'

interface RecoveryProps {
  readonly entry: Entry
  readonly moreCount: number
  readonly onDecided: () => void
}

export function RecoveryDialog({ entry, moreCount, onDecided }: RecoveryProps) {
  const { recording, client_name, interrupted_at } = entry
  const name = useName()
  const [isDiscarding, setDiscarding] = useState(false)
  const { decide, doing, error, hasFailed } = useDecision(recording, onDecided)
  const session = useCall('sessions.get', { id: recording.session_id })
  const known = wayOf(recording, session, entry.session_starts_at, Date.now())
  const client_id = session.data?.session.client_id ?? ''
  const consents = useCall('consents.list', { client_id }, { enabled: known === 'no-consent' })
  const way = orLost(known, consents.data)
  const isLost = isUnreadable(recording)
  const help = [wayLine(way, recording.marks.length, isLost), moreCount > 0 ? words.more({ count: moreCount }) : '']
    .join(' ')
    .trim()
  return (
    <>
      <Dialog
        title={titleOf(recording, client_name === reportWords.unknownClient ? '' : name(client_name))}
        lead={leadOf(recording, way, formatClock(interrupted_at))}
        icon={LifeBuoy}
        isOpen
        onClose={() => undefined}
        isDismissable={false}
        size="wide"
        actions={<Ways way={way} isLost={isLost} doing={doing} decide={decide} onDiscard={() => setDiscarding(true)} />}
      >
        <DamagedSound recording={recording} />
        <Saved entry={entry} way={way} />
        <p className="recovery-kept">
          {help !== '' && (way === 'resume' ? <Check aria-hidden /> : <Info aria-hidden />)}
          <span>{help}</span>
        </p>
        {way === 'unknown' && session.error !== null && <Problem code={session.error.code} />}
        {error !== null && <Problem code={error} />}
        {hasFailed && <Notice tone="stopped" title={words.failed} />}
      </Dialog>
      <ConfirmDialog
        title={words.discardTitle({ name: name(client_name) })}
        lead={words.discardLead({ length: formatLength(recording.saved_ms), isUnreadable: isLost })}
        isOpen={isDiscarding}
        onClose={() => setDiscarding(false)}
        role="alertdialog"
        cancel={words.keep}
        submit={words.erase}
        busy={doing === 'erase' ? words.erasing : undefined}
        onConfirm={() => decide('erase')}
      >
        <p>{words.discardStays}</p>
      </ConfirmDialog>
    </>
  )
}

function useDecision(recording: Recording, onDecided: () => void) {
  const { recorder } = useRecorder()
  const { doing, error, attempt } = useAttempt<Doing>()
  const [hasFailed, setFailed] = useState(false)
  const decide = (what: Doing) => {
    setFailed(false)
    return attempt(what, async () => {
      if (what === 'resume') await recorder.takeUp(recording.id, 'interruption')
      else await call(what === 'finish' ? 'recordings.finish' : 'recordings.erase', { recording_id: recording.id })
      if (what === 'resume' && recorder.getState().error !== null) return setFailed(true)
      onDecided()
      if (what !== 'erase') navigate(sessionPath(recording.session_id, what === 'resume' ? 'record' : 'transcript'))
    })
  }
  return { decide, doing, error, hasFailed }
}

function titleOf(recording: Recording, name: string): string {
  if (isUnreadable(recording)) return words.lostTitle({ name })
  return unreadableMs(recording) > 0 ? words.damagedTitle({ name }) : words.title({ name })
}

function leadOf(recording: Recording, way: Way, time: string): string {
  const isFound = wasFound(way)
  if (isUnreadable(recording)) return isFound ? words.lostFoundLead : words.lostLead
  if (unreadableMs(recording) > 0) return isFound ? words.foundPartLead : words.damagedLead({ time })
  if (recording.finished_at !== null) return words.endedLead({ time })
  return isFound || way === 'unknown' ? words.foundLead({ time }) : words.lead({ time })
}

interface WaysProps {
  readonly way: Way
  readonly isLost: boolean
  readonly doing: Doing | null
  readonly decide: (what: Doing) => unknown
  readonly onDiscard: () => void
}

function Ways({ way, isLost, doing, decide, onDiscard }: WaysProps) {
  const mayResume = way === 'resume' || way === 'unknown'
  return (
    <>
      <Button
        variant={wasFound(way) ? 'quiet' : 'erasing'}
        className="recovery-discard"
        onPress={onDiscard}
        label={words.discard}
      />
      <Button
        variant={mayResume ? 'outlined' : 'filled'}
        busy={doing === 'finish' ? words.finishing : undefined}
        onPress={() => void decide('finish')}
        label={isLost ? words.finishWithout : words.finish}
      />
      {mayResume && (
        <Button
          variant={way === 'resume' ? 'filled' : 'outlined'}
          icon={Mic}
          isDisabled={way === 'unknown'}
          busy={doing === 'resume' ? words.resuming : undefined}
          onPress={() => void decide('resume')}
          label={words.resume}
        />
      )}
    </>
  )
}

function wayLine(way: Way, marks: number, isLost: boolean): string {
  if (way === 'unknown') return ''
  if (way === 'resume') return words.resumeHelp({ marks })
  return `${words.noResume[way]} ${isLost ? words.mayEnd : words.mayFinish}`
}

function lostLine({ lost_ms_at_most, interrupted_at }: Entry, way: Way): string {
  const lost = lostOf(lost_ms_at_most)
  if (lost.kind === 'nothing') return words.nothing
  if (lost.kind === 'unknown' || wasFound(way)) return words.lostUnknown
  return lost.kind === 'at-most'
    ? words.lostAtMost({ length: formatLength(lost.ms) })
    : words.lostAfter({ time: formatClock(interrupted_at) })
}

function Saved({ entry, way }: { readonly entry: Entry; readonly way: Way }) {
  const { recording, interrupted_at } = entry
  const isLost = isUnreadable(recording)
  const readable = formatLength(recording.saved_ms - unreadableMs(recording))
  const [day, from] = [formatDay(recording.started_at), formatClock(recording.started_at)]
  const facts = [
    [unreadableMs(recording) > 0 ? words.readable : words.saved, isLost ? words.nothing : readable],
    [words.lost, isLost ? words.lostUnknown : lostLine(entry, way)],
    [words.recorded, isLost ? words.began({ day, from }) : words.span({ day, from, to: formatClock(interrupted_at) })],
  ] as const
  return (
    <div className="recovery-saved">
      {/* Play has the initial focus, because hearing the sound proves that it is saved. */}
      {!isLost && <SavedSound recording={recording} words={words} autoFocus />}
      <Pairs isTabular className="recovery-facts" items={facts} />
    </div>
  )
}
