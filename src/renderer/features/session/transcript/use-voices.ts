import { useCallback, useMemo, useState } from 'react'
import type { Transcript } from '#contract/model/transcript.ts'
import { useName } from '#renderer/lib/names.ts'
import { transcriptWords as words } from '#renderer/strings/transcript.ts'
import { peopleOf, type SessionData } from '../session-data.ts'
import { firstNameAmong, voiceChoices, type Voice } from './speakers.ts'

export interface Voices {
  /** In the order of the keys 1 to 4. */
  readonly voices: readonly Voice[]
  readonly label: (voice: Voice) => string
  /** As it stands beside every turn: the first name alone. */
  readonly shortLabel: (voice: Voice) => string
  /** Somebody who is not on the session's list. */
  readonly add: (voice: Voice) => void
}

export function useVoices(data: SessionData, transcript: Transcript): Voices {
  const name = useName()
  const [added, setAdded] = useState<readonly Voice[]>([])
  const { row, settings } = data
  const { speakers } = transcript
  const voices = useMemo(() => {
    const known = voiceChoices(speakers, settings.therapist_name, peopleOf(row))
    return [...known, ...added.filter((voice) => !speakers.some((speaker) => speaker.id === voice.id))]
  }, [speakers, settings.therapist_name, row, added])
  const label = useCallback((voice: Voice): string => (voice.role === 'therapist' ? words.you : name(voice.label)), [name])
  const shortLabel = useCallback(
    (voice: Voice): string => (voice.role === 'therapist' ? words.you : name(firstNameAmong(voice, voices))),
    [name, voices],
  )
  const add = useCallback((voice: Voice) => setAdded((before) => [...before, voice]), [])
  return { voices, label, shortLabel, add }
}
