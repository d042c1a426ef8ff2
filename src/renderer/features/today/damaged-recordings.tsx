import { FileX } from 'lucide-react'
import { useName } from '#renderer/lib/names.ts'
import { sessionPath } from '#renderer/lib/navigation.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { damageSentence } from '#renderer/sessions/damaged-sound.tsx'
import { todayStrings } from '#renderer/strings/today.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/page.tsx'
import { formatDay } from '#renderer/strings/time.ts'

const words = todayStrings.damaged
const MAX_LINES = 5

/** Recordings of any day that were found damaged, until they are dismissed. */
export function DamagedRecordings({ now }: { readonly now: Date }) {
  const nameOf = useName()
  const dismiss = useAction('recordings.dismissDamage')
  const damaged = useCall('recordings.damaged', {}).data ?? []
  const shown = damaged.slice(0, MAX_LINES)
  if (shown.length === 0) return null
  return (
    <Notice
      tone="needs"
      icon={FileX}
      title={words.title(damaged.length, damaged.filter((one) => one.unreadable_ms >= one.saved_ms).length)}
      actions={
        <Button onPress={() => shown.forEach(({ recording_id }) => dismiss.mutate({ recording_id }))}>{words.dismiss}</Button>
      }
    >
      <p>{words.help}</p>
      <ul className="today-damaged">
        {shown.map(({ recording_id, session_id, client_name, session_starts_at, saved_ms, unreadable_ms }) => (
          <li key={recording_id}>
            <a href={`#${sessionPath(session_id, 'consent')}`}>
              {words.line(
                client_name === '' ? words.unknownClient : nameOf(client_name),
                formatDay(session_starts_at, now),
                damageSentence(unreadable_ms, saved_ms),
              )}
            </a>
          </li>
        ))}
      </ul>
      {damaged.length > MAX_LINES && <p>{words.more(damaged.length - MAX_LINES)}</p>}
    </Notice>
  )
}
