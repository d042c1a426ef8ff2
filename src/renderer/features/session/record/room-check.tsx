import { Check, CircleAlert, Ear } from 'lucide-react'
import { useState } from 'react'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { type MicrophoneTrouble, microphoneTrouble } from '#renderer/recorder/microphones.ts'
import type { RoomCheck as RoomCheckResult } from '#renderer/recorder/room-check.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Level } from './level.tsx'

const words = sessionWords.before

/** Ten seconds of listening of which nothing is kept. */
export function RoomCheck({ deviceId }: { readonly deviceId: string | null }) {
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
  return (
    <div className="room-check ui-card">
      <div className="room-check-row">
        <Button
          icon={Ear}
          isDisabled={state.phase !== 'idle' && state.phase !== 'trouble'}
          busy={isListening ? words.checking : undefined}
          onPress={() => void listen()}
        >
          {words.checkRoom}
        </Button>
        <Level peak={peak} />
      </div>
      <p
        className={
          verdict === null
            ? 'room-check-words muted'
            : verdict === 'heard'
              ? 'room-check-words room-check-good'
              : 'room-check-words room-check-bad'
        }
        role="status"
      >
        {verdict !== null && (verdict === 'heard' ? <Check aria-hidden /> : <CircleAlert aria-hidden />)}
        {verdict === null ? words.checkLead : sessionWords.room[verdict]}
      </p>
    </div>
  )
}
