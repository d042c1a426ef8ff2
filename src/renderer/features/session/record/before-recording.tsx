import { Check, CircleAlert, Ear, FileText, HardDrive, Mic, ShieldCheck } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { levelSteps } from '#renderer/audio/peaks.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { SPACE_EVERY_MS, useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { SpeechSetup } from '#renderer/lib/speech-setup.tsx'
import { chooseToStart, isToStart } from '#renderer/lib/start-session.ts'
import { useMicrophones } from '#renderer/lib/use-microphones.ts'
import { microphoneTrouble, type MicrophoneTrouble } from '#renderer/recorder/microphones.ts'
import type { RoomCheck as RoomCheckResult } from '#renderer/recorder/room-check.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { SelectField } from '#renderer/ui/field.tsx'
import { IconText, TitledSection } from '../parts.tsx'
import { useSession } from '../session-data.ts'

const words = sessionWords.before
const systemChoice = 'default'

export function BeforeRecording() {
  const { id, row, settings } = useSession()
  const { recorder, state } = useRecorder()
  const found = useMicrophones()
  const microphones = found ?? []
  const update = useAction('settings.update')
  const space = useCall('recordings.space', {}, { everyMs: SPACE_EVERY_MS })
  const deviceId = microphones.find((microphone) => microphone.deviceId === settings.microphone_id)?.deviceId ?? null
  const hours = space.data === undefined ? null : Math.floor(space.data.hours)
  const isTranscribable = useCall('transcripts.get', { session_id: id }).data?.speech_ready
  const hasRoom = hours === null || hours >= 1
  const start = useEffectEvent((): void => {
    chooseToStart(null)
    if (hasRoom && isTranscribable === true && state.phase === 'idle')
      void recorder.start({ session_id: id, device_id: deviceId })
  })
  const isKnown = found !== null && hours !== null && isTranscribable !== undefined
  useEffect(() => {
    if (isKnown && isToStart(id)) start()
  }, [isKnown, id])
  return (
    <TitledSection className="before" title={words.notStarted}>
      <IconText className="before-consent" icon={ShieldCheck} text={sessionWords.consent.all} />
      <SelectField
        label={words.microphone}
        options={[
          { value: systemChoice, label: words.systemMicrophone },
          ...microphones
            .filter((microphone) => microphone.deviceId !== systemChoice && microphone.deviceId !== '')
            .map((microphone, index) => ({
              value: microphone.deviceId,
              label: microphone.label || words.unnamed({ number: index + 1 }),
            })),
        ]}
        value={deviceId ?? systemChoice}
        onChange={(chosen) => update.mutate({ microphone_id: chosen === systemChoice ? null : chosen })}
      />
      <RoomCheck deviceId={deviceId} />
      {hours !== null && (
        <IconText className="before-space" icon={HardDrive} text={hasRoom ? words.space(hours) : words.noSpace} />
      )}
      {!row.consent.granted.includes('transcribe') && (
        <IconText className="before-space" icon={FileText} text={sessionWords.end.nextWithoutConsent} />
      )}
      {isTranscribable === false && <SpeechSetup title={words.noTranscript} text={words.noTranscriptHelp} />}
      <div>
        <Button
          variant="filled"
          size="large"
          icon={Mic}
          isDisabled={!hasRoom}
          reason={hasRoom ? undefined : words.noSpace}
          busy={state.phase === 'starting' ? words.starting : undefined}
          onPress={() => void recorder.start({ session_id: id, device_id: deviceId })}
          label={words.start}
        />
      </div>
    </TitledSection>
  )
}

function RoomCheck({ deviceId }: { readonly deviceId: string | null }) {
  const { recorder, state } = useRecorder()
  const [peak, setPeak] = useState(0)
  const [isListening, setListening] = useState(false)
  const [verdict, setVerdict] = useState<RoomCheckResult['verdict'] | MicrophoneTrouble | null>(null)
  const listen = async (): Promise<void> => {
    setListening(true)
    setVerdict(null)
    try {
      setVerdict((await recorder.checkRoom(deviceId, (level) => setPeak(level.peak))).verdict)
    } catch (error) {
      setVerdict(microphoneTrouble(error))
    } finally {
      setListening(false)
      setPeak(0)
    }
  }
  const look = verdict === null ? 'muted' : verdict === 'heard' ? 'room-check-good' : 'room-check-bad'
  return (
    <div className="room-check ui-card">
      <div className="room-check-row">
        <Button
          icon={Ear}
          isDisabled={state.phase !== 'idle' && state.phase !== 'trouble'}
          busy={isListening ? words.checking : undefined}
          onPress={() => void listen()}
          label={words.checkRoom}
        />
        <Level peak={peak} />
      </div>
      <p className={`room-check-words ${look}`} role="status">
        {verdict !== null && (verdict === 'heard' ? <Check aria-hidden /> : <CircleAlert aria-hidden />)}
        {verdict === null ? words.checkLead : sessionWords.room[verdict]}
      </p>
    </div>
  )
}

const steps = Array.from({ length: 24 }, (_, index) => index)

export function Level({ peak }: { readonly peak: number }) {
  const on = levelSteps(useCalmPeak(peak))
  return (
    <div
      className="level"
      role="meter"
      aria-valuemin={0}
      aria-valuemax={24}
      aria-valuenow={on}
      aria-label={sessionWords.now.level}
      aria-valuetext={sessionWords.now.levelLabel({ steps: on })}
    >
      {steps.map((step) => (
        <span key={step} className={step < on ? 'level-step level-step-on' : 'level-step'} />
      ))}
    </div>
  )
}

const CALM_MS = 1000

/** With reduced motion, the level changes only once a second, to the maximum of that second. */
function useCalmPeak(peak: number): number {
  const isCalm = useSyncExternalStore(subscribeToMotion, () => reducedMotion.matches)
  const loudest = useRef(0)
  const [shown, setShown] = useState(0)
  useEffect(() => {
    loudest.current = Math.max(loudest.current, peak)
  }, [peak])
  useEffect(() => {
    if (!isCalm) return undefined
    const timer = setInterval(() => {
      setShown(loudest.current)
      loudest.current = 0
    }, CALM_MS)
    return () => clearInterval(timer)
  }, [isCalm])
  return isCalm ? shown : peak
}

const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)')

function subscribeToMotion(onChange: () => void): () => void {
  reducedMotion.addEventListener('change', onChange)
  return () => reducedMotion.removeEventListener('change', onChange)
}
