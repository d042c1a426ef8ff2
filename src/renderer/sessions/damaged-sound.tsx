import { FileX } from 'lucide-react'
import type { Recording } from '#contract/model/recording.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { Notice } from '#renderer/ui/page.tsx'
import { formatLength } from '#renderer/ui/time.ts'

const words = sessionWords.damaged

export function unreadableMs({ gaps }: Pick<Recording, 'gaps'>): number {
  return gaps.reduce((sum, { reason, duration_ms }) => (reason === 'damage' ? sum + duration_ms : sum), 0)
}

/** "8 s of 16 s can’t be read." Rounded up: no loss is made smaller than it is. */
export function damageSentence(unreadable: number, saved: number): string {
  if (unreadable >= saved) return words.whole(formatLength(saved))
  const lost = unreadable < 1000 ? words.underASecond : formatLength(Math.ceil(unreadable / 1000) * 1000)
  return words.part(lost, formatLength(saved))
}

/** What of a finished recording is lost, what is safe and what to do; nothing where all of it can be read. */
export function DamagedSound({ recording }: { readonly recording: Recording | null }) {
  if (recording?.state !== 'finished') return null
  const unreadable = unreadableMs(recording)
  if (unreadable === 0) return null
  return (
    <Notice tone="needs" icon={FileX} title={damageSentence(unreadable, recording.saved_ms)}>
      {unreadable < recording.saved_ms ? words.partHelp : words.wholeHelp} {words.safe}{' '}
      {words.next(`recordings/${recording.id}.afr`)}
    </Notice>
  )
}
