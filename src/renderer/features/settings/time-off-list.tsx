import type { WorkingTime } from '#contract/bridge/schedule.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { hoursStrings } from '#renderer/strings/working-hours.ts'
import { Button } from '#renderer/ui/button.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { NotSaved } from './not-saved.tsx'
import { takeWorkingTime } from './take-working-time.ts'
import { type Away, awayWhen } from './time-off-form.ts'

const words = hoursStrings.off

interface TimeOffListProps {
  readonly away: readonly Away[]
  /** Nothing can be changed for now. */
  readonly isOff: boolean
  /** The button that had the focus is gone. */
  readonly onRemoved: () => void
}

/** What is planned, the next first. What holds for the whole practice is told and stays. */
export function TimeOffList({ away, isOff, onRemoved }: TimeOffListProps) {
  const { remove, putBack, takeAway } = useRemoving(onRemoved)
  return (
    <>
      {away.length > 0 && (
        <ul className="hours-away" aria-label={words.list}>
          {away.map((one) => {
            const isRemoving = remove.isPending && remove.variables.id === one.id
            return (
              <AwayRow
                key={one.id}
                one={one}
                busy={isRemoving ? words.removing : undefined}
                isOff={isOff || (remove.isPending && !isRemoving)}
                onRemove={() => void takeAway(one)}
              />
            )
          })}
        </ul>
      )}
      {remove.error && <NotSaved code={remove.error.code} text={hoursStrings.notSaved.removing} />}
      {putBack.error && <NotSaved code={putBack.error.code} text={hoursStrings.notSaved.puttingBack} />}
    </>
  )
}

function useRemoving(onRemoved: () => void) {
  const toast = useToast()
  const remove = useAction('schedule.removeTimeOff')
  const putBack = useAction('schedule.addTimeOff')
  /** What could not be done stands below the list. */
  const take = async (change: Promise<WorkingTime>): Promise<boolean> => {
    const told = await change.catch(() => null)
    if (told !== null) takeWorkingTime(told)
    return told !== null
  }
  async function takeAway({ id, time_zone, from, to, note }: Away): Promise<void> {
    if (remove.isPending) return
    putBack.reset()
    if (!(await take(remove.mutateAsync({ id })))) return
    onRemoved()
    toast({ text: words.removed, onUndo: () => void take(putBack.mutateAsync({ time_zone, from, to, note })) })
  }
  return { remove, putBack, takeAway }
}

interface AwayRowProps {
  readonly one: Away
  readonly busy: string | undefined
  readonly isOff: boolean
  readonly onRemove: () => void
}

function AwayRow({ one, busy, isOff, onRemove }: AwayRowProps) {
  const isClosure = one.kind !== 'time_off'
  const name = one.note ?? (isClosure ? words.closed : words.nameless)
  const when = awayWhen(one)
  return (
    <li className="hours-away-row">
      <p className="setting-text">
        <strong>{name}</strong> {when}
      </p>
      {isClosure ? (
        <span className="caption">{words.closedText}</span>
      ) : (
        <Button size="row" busy={busy} isDisabled={isOff} aria-label={words.removeNamed(name, when)} onPress={onRemove}>
          {words.remove}
        </Button>
      )}
    </li>
  )
}
