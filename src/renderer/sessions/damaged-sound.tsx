import { FileX } from 'lucide-react'
import type { Recording } from '#contract/model/recording.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { Notice } from '#renderer/ui/page.tsx'
import { formatLength } from '#renderer/strings/time.ts'

const words = sessionWords.damaged

export function unreadableMs({ gaps }: Pick<Recording, 'gaps'>): number {
  return gaps.reduce((sum, { reason, duration_ms }) => (reason === 'damage' ? sum + duration_ms : sum), 0)
}

/** "8 s of 16 s can’t be read." The loss is rounded up, so that it is never understated. */
export function damageSentence(unreadable: number, saved: number): string {
  if (unreadable >= saved) return words.whole(formatLength(saved))
  const lost = unreadable < 1000 ? words.underASecond : formatLength(Math.ceil(unreadable / 1000) * 1000)
  return words.part(lost, formatLength(saved))
}

export const isUnreadable = (recording: Pick<Recording, 'saved_ms' | 'gaps'> | null): boolean =>
  recording !== null && recording.saved_ms > 0 && unreadableMs(recording) >= recording.saved_ms

export function DamagedSound({ recording }: { readonly recording: Recording | null }) {
  if (recording?.state !== 'finished' && recording?.state !== 'interrupted') return null
  const unreadable = unreadableMs(recording)
  if (unreadable === 0) return null
  return (
    <Notice tone="needs" icon={FileX} title={damageSentence(unreadable, recording.saved_ms)}>
      {isUnreadable(recording) ? words.wholeHelp : words.partHelp} {recording.state === 'finished' && words.safe}{' '}
      {words.next(`recordings/${recording.id}.afr`)}
    </Notice>
  )
}
