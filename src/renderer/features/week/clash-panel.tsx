import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import type { ScheduleProposal } from '#contract/model/schedule.ts'
import { useName } from '#renderer/lib/names.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { weekStrings } from '#renderer/strings/week.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Chip } from '#renderer/ui/chip.tsx'
import { Loading, Problem } from '#renderer/ui/page.tsx'
import { formatClock } from '#renderer/strings/time.ts'
import { useToast } from '#renderer/ui/toast.tsx'
import { localWall } from './local-wall.ts'
import { startOf, TimeOptions, whenOf } from './time-options.tsx'

const words = weekStrings.clash
const twoWeeksMs = 14 * 24 * 60 * 60 * 1000

interface Props {
  /** The one that was booked first, and the one that came on top of it. */
  readonly clash: readonly [SessionRow, SessionRow]
  readonly count: number
}

/** Two sessions at one time: which could go where, and why. Nothing moves before somebody says so. */
export function ClashPanel({ clash: [first, second], count }: Props) {
  const nameOf = useName()
  const [isFirst, setFirst] = useState(false)
  const [isLater, setLater] = useState(false)
  const [staying, moving] = isFirst ? [second, first] : [first, second]
  const at = second.session.starts_at > first.session.starts_at ? second.session.starts_at : first.session.starts_at
  return (
    <div className="week-clash">
      <Chip tone="needs" icon={TriangleAlert}>
        {weekStrings.clashes(count)}
      </Chip>
      <h2>{words.title(new Date(at).toLocaleDateString('en-GB', { weekday: 'long' }), formatClock(at))}</h2>
      <p>
        {words.text(
          nameOf(first.client_name),
          formatClock(first.session.starts_at),
          nameOf(second.client_name),
          formatClock(second.session.starts_at),
        )}{' '}
        <strong>{words.nothingMoved}</strong>
      </p>
      {!isLater && <Ways key={moving.session.id} row={moving} />}
      <div className="week-clash-more">
        <Button onPress={() => setFirst(!isFirst)}>{words.other(nameOf(staying.client_name))}</Button>
        {!isLater && (
          <Button variant="quiet" onPress={() => setLater(true)}>
            {words.later}
          </Button>
        )}
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
  const from = Math.max(Date.parse(session.starts_at), Date.now())
  const asked = useCall('schedule.ask', {
    mode: 'propose',
    client_id: session.client_id,
    session_id: session.id,
    session_type: session.session_type,
    modality: session.modality,
    duration_minutes: session.duration_minutes,
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    start: localWall(new Date(session.starts_at)),
    // By the day, so that the question stays the same while the page is open.
    window: { from: localWall(dayOf(from)), to: localWall(dayOf(from + twoWeeksMs)) },
  })
  const proposals = asked.data?.proposals.filter(({ moves }) => moves.length === 0) ?? []
  const proposal = proposals.find(({ id }) => id === chosen) ?? proposals[0]
  const move = ({ ...where }: ScheduleProposal): void => {
    const patch = { starts_at: startOf(where) }
    update.mutate(
      { id: session.id, version: session.version, patch },
      { onSuccess: () => toast({ text: words.moved(name, whenOf(where)) }) },
    )
  }
  if (asked.isPending) return <Loading>{words.looking}</Loading>
  return (
    <>
      {(asked.error ?? update.error) && <Problem code={(asked.error ?? update.error)?.code ?? null} />}
      {asked.data && proposal === undefined && <p>{words.none}</p>}
      {proposal && (
        <>
          <TimeOptions label={words.options} proposals={proposals.slice(0, 3)} value={proposal.id} onChange={setChosen} />
          <p className="caption">{words.ask(name)}</p>
          <Button variant="filled" size="large" busy={update.isPending ? words.moving : undefined} onPress={() => move(proposal)}>
            {words.move(name, whenOf(proposal))}
          </Button>
        </>
      )}
    </>
  )
}

function dayOf(time: number): Date {
  const date = new Date(time)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate())
}
