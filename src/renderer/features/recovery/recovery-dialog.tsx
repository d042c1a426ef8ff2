import { Check, LifeBuoy, Mic } from 'lucide-react'
import { useState } from 'react'
import type { ErrorCode } from '#contract/errors.ts'
import type { MethodOutput } from '#contract/bridge/methods.ts'
import type { Recording } from '#contract/model/recording.ts'
import { useName } from '#renderer/app/names.ts'
import { navigate, sessionPath } from '#renderer/app/navigation.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { call, failureCode, useCall } from '#renderer/bridge/use-bridge.ts'
import { recoveryWords as words } from '#renderer/strings/recovery.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { formatClock, formatDay, formatLength } from '#renderer/ui/time.ts'
import { lostOf, type Way, wayOf } from './recovery-facts.ts'
import { SavedSound } from './saved-sound.tsx'

type Entry = MethodOutput<'recordings.recoverable'>[number]
type Doing = 'resume' | 'finish' | 'erase'

interface RecoveryProps {
  readonly entry: Entry
  readonly moreCount: number
  readonly onDecided: () => void
}

type Done = (what: Doing) => Promise<void>

/** Names client, time and minutes saved; the first focus plays what is saved, and nothing closes this by accident. */
export function RecoveryDialog({ entry, moreCount, onDecided }: RecoveryProps) {
  const { recording, client_name, interrupted_at } = entry
  const name = useName()
  const [isDiscarding, setDiscarding] = useState(false)
  const { decide, doing, error, hasFailed } = useDecision(recording, onDecided)
  const session = useCall('sessions.get', { id: recording.session_id })
  const way = wayOf(session, entry.session_starts_at, Date.now())
  const help = [wayLine(way, recording.marks.length), moreCount > 0 ? words.more(moreCount) : ''].join(' ').trim()
  return (
    <>
      <Dialog
        title={words.title(name(client_name))}
        lead={words.lead(formatClock(interrupted_at))}
        icon={LifeBuoy}
        isOpen
        onClose={() => undefined}
        isDismissable={false}
        size="wide"
        actions={<Ways way={way} doing={doing} decide={decide} onDiscard={() => setDiscarding(true)} />}
      >
        <Saved entry={entry} />
        <p className="recovery-kept">
          {help !== '' && <Check aria-hidden />}
          <span>{help}</span>
        </p>
        {way === 'unknown' && session.error !== null && <Problem code={session.error.code} />}
        {error !== null && <Problem code={error} />}
        {hasFailed && <Notice tone="stopped" title={words.failed} />}
      </Dialog>
      <DiscardSaved entry={entry} isOpen={isDiscarding} doing={doing} decide={decide} onClose={() => setDiscarding(false)} />
    </>
  )
}

function useDecision(recording: Recording, onDecided: () => void) {
  const { recorder } = useRecorder()
  const [doing, setDoing] = useState<Doing | null>(null)
  const [error, setError] = useState<ErrorCode | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const decide: Done = async (what) => {
    setDoing(what)
    setError(null)
    setFailed(false)
    try {
      if (what === 'resume') await recorder.takeUp(recording.id, 'interruption')
      else await call(what === 'finish' ? 'recordings.finish' : 'recordings.erase', { recording_id: recording.id })
      if (what === 'resume' && recorder.getState().error !== null) {
        setFailed(true)
        return
      }
      onDecided()
      if (what !== 'erase') navigate(sessionPath(recording.session_id, what === 'resume' ? 'record' : 'transcript'))
    } catch (failure) {
      setError(failureCode(failure))
    } finally {
      setDoing(null)
    }
  }
  return { decide, doing, error, hasFailed }
}

interface WaysProps {
  readonly way: Way
  readonly doing: Doing | null
  readonly decide: Done
  readonly onDiscard: () => void
}

/** Until it is known what can be done, none of it is suggested. */
function Ways({ way, doing, decide, onDiscard }: WaysProps) {
  const mayResume = way === 'resume' || way === 'unknown'
  return (
    <>
      <Button variant="erasing" className="recovery-discard" onPress={onDiscard}>
        {words.discard}
      </Button>
      <Button
        variant={mayResume ? 'outlined' : 'filled'}
        busy={doing === 'finish' ? words.finishing : undefined}
        onPress={() => void decide('finish')}
      >
        {words.finish}
      </Button>
      {mayResume && (
        <Button
          variant={way === 'resume' ? 'filled' : 'outlined'}
          icon={Mic}
          isDisabled={way === 'unknown'}
          busy={doing === 'resume' ? words.resuming : undefined}
          onPress={() => void decide('resume')}
        >
          {words.resume}
        </Button>
      )}
    </>
  )
}

interface DiscardProps {
  readonly entry: Entry
  readonly isOpen: boolean
  readonly doing: Doing | null
  readonly decide: Done
  readonly onClose: () => void
}

function DiscardSaved({ entry, isOpen, doing, decide, onClose }: DiscardProps) {
  const name = useName()
  return (
    <Dialog
      title={words.discardTitle(name(entry.client_name))}
      lead={words.discardLead(formatLength(entry.recording.saved_ms))}
      isOpen={isOpen}
      onClose={onClose}
      isDismissable={false}
      role="alertdialog"
      actions={
        <>
          <Button autoFocus onPress={onClose}>
            {words.keep}
          </Button>
          <Button variant="erasing" busy={doing === 'erase' ? words.erasing : undefined} onPress={() => void decide('erase')}>
            {words.erase}
          </Button>
        </>
      }
    >
      <p>{words.discardStays}</p>
    </Dialog>
  )
}

function wayLine(way: Way, marks: number): string {
  if (way === 'unknown') return ''
  return way === 'resume' ? words.resumeHelp(marks) : words.noResume[way]
}

function lostLine({ lost_ms_at_most, interrupted_at }: Entry): string {
  const lost = lostOf(lost_ms_at_most)
  switch (lost.kind) {
    case 'nothing':
      return words.lostNothing
    case 'at-most':
      return words.lostAtMost(formatLength(lost.ms))
    case 'after-cut':
      return words.lostAfter(formatClock(interrupted_at))
    case 'unknown':
      return words.lostUnknown
  }
}

function Saved({ entry }: { readonly entry: Entry }) {
  const { recording, interrupted_at } = entry
  return (
    <div className="recovery-saved">
      <SavedSound recordingId={recording.id} />
      <dl className="recovery-facts">
        <div>
          <dt>{words.saved}</dt>
          <dd className="tabular">{formatLength(recording.saved_ms)}</dd>
        </div>
        <div>
          <dt>{words.lost}</dt>
          <dd className="tabular">{lostLine(entry)}</dd>
        </div>
        <div>
          <dt>{words.recorded}</dt>
          <dd className="tabular">
            {words.span(formatDay(recording.started_at), formatClock(recording.started_at), formatClock(interrupted_at))}
          </dd>
        </div>
      </dl>
    </div>
  )
}
