import { FileX } from 'lucide-react'
import type { Recording } from '#contract/model/recording.ts'
import { damagedWords as words } from '#renderer/strings/recovery.ts'
import { Notice } from '#renderer/ui/page.tsx'
import { damageSentence, isUnreadable, type Stored, storedSentence, unreadableMs } from './damage.ts'

export function DamagedSound({ recording, row }: { readonly recording: Recording | null; readonly row?: Stored }) {
  if (recording?.state !== 'finished' && recording?.state !== 'interrupted') return null
  const unreadable = unreadableMs(recording)
  if (unreadable === 0) return null
  return (
    <Notice tone="needs" icon={FileX} title={damageSentence(unreadable, recording.saved_ms)}>
      {isUnreadable(recording) ? words.wholeHelp : words.partHelp}{' '}
      {recording.state === 'finished' && row !== undefined && storedSentence(row)}{' '}
      {words.next({ file: `recordings/${recording.id}.afr` })}
    </Notice>
  )
}
