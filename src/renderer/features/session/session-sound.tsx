import { SavedSound } from '#renderer/audio/saved-sound.tsx'
import { transcriptWords } from '#renderer/strings/transcript.ts'
import { playableId, useSession } from './session-data.ts'

/** Shows nothing while the recording runs, or if no sound was saved or none of it can be read. */
export function SessionSound() {
  const { recording } = useSession()
  if (recording === null || playableId(recording) === null) return null
  return (
    <div className="session-sound ui-card">
      <SavedSound key={recording.id} recording={recording} words={transcriptWords.sound} />
    </div>
  )
}
