import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import type { ScheduleProposal } from '#contract/model/schedule.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { useName } from '#renderer/lib/names.ts'
import { startOf, TimeOptions, useOtherTimes, whenOf } from '#renderer/sessions/appointment-times.tsx'
import { BookingProblem } from '#renderer/sessions/new-session-dialog.tsx'
import { calendarStrings } from '#renderer/strings/calendar.ts'
import { formatClock, formatWeekday } from '#renderer/strings/time.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Chip } from '#renderer/ui/chip.tsx'
import { Loading } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import './clash-panel.css'

const words = calendarStrings.clash

export function ClashPanel({
  clash: [first, second],
  count,
}: Readonly<{ clash: readonly [SessionRow, SessionRow]; count: number }>) {
  const nameOf = useName()
  const [isFirst, setFirst] = useState(false)
  const [isLater, setLater] = useState(false)
  const [staying, moving] = isFirst ? [second, first] : [first, second]
  const at = second.session.starts_at > first.session.starts_at ? second.session.starts_at : first.session.starts_at
  return (
    <div className="calendar-clash">
      <Chip tone="needs" icon={TriangleAlert}>
        {calendarStrings.clashes({ count })}
      </Chip>
      <h2>{words.title({ day: formatWeekday(at), time: formatClock(at) })}</h2>
      <p>
        {words.text({
          first: nameOf(first.client_name),
          firstAt: formatClock(first.session.starts_at),
          second: nameOf(second.client_name),
          secondAt: formatClock(second.session.starts_at),
        })}{' '}
        <strong>{words.nothingMoved}</strong>
      </p>
      {!isLater && <Ways key={moving.session.id} row={moving} />}
      <div className="calendar-clash-more">
        <Button onPress={() => setFirst(!isFirst)} label={words.other({ name: nameOf(staying.client_name) })} />
        {!isLater && <Button variant="quiet" onPress={() => setLater(true)} label={words.later} />}
      </div>
    </div>
  )
}

function Ways({ row }: { readonly row: SessionRow }) {
  const { session } = row
  const name = useName()(row.client_name)
  const toast = useToast()
  const update = useAction('sessions.update')
  const [chosen, setChosen] = useState<string | null>(null)
  const { asked, proposals } = useOtherTimes(session)
  const proposal = proposals.find(({ id }) => id === chosen) ?? proposals[0]
  const move = (where: ScheduleProposal): void =>
    update.mutate(
      { id: session.id, version: session.version, patch: { starts_at: startOf(where) } },
      { onSuccess: () => toast({ text: words.moved({ name, when: whenOf(where) }) }) },
    )
  const error = asked.error ?? update.error
  if (asked.isPending) return <Loading>{words.looking}</Loading>
  return (
    <>
      {error && <BookingProblem error={error} />}
      {asked.data && proposal === undefined && <p>{words.none}</p>}
      {proposal && (
        <>
          <TimeOptions label={words.options} proposals={proposals} value={proposal.id} onChange={setChosen} />
          <p className="caption">{words.ask({ name })}</p>
          <Button
            variant="filled"
            size="large"
            busy={update.isPending && words.moving}
            onPress={() => move(proposal)}
            label={words.move({ name, when: whenOf(proposal) })}
          />
        </>
      )}
    </>
  )
}
