import { SavedSound } from '#renderer/audio/player-bar.tsx'
import { transcriptWords } from '#renderer/strings/transcript.ts'
import { playableId, useSession } from './session-data.ts'

export function SessionSound() {
  const { recording } = useSession()
  if (recording === null || playableId(recording) === null) return null
  return (
    <div className="session-sound ui-card">
      <SavedSound key={recording.id} recording={recording} words={transcriptWords.sound} />
    </div>
  )
}
