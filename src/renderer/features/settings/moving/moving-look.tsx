import { CircleAlert, Info } from 'lucide-react'
import type { MovingLook as Look, MovingState } from '#contract/bridge/moving.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { movingCounts, movingHeading, movingPerson, movingProblem, movingStrings as words } from '#renderer/strings/moving.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { MovingPanel } from './moving-panel.tsx'

/** Nothing can be moved there, and it can be worked with all the same. */
const offersLess: ReadonlySet<string> = new Set(['published-only', 'offers-too-little', 'person-unknown'])

/** What would be sent, as whom, and what stands in the way; nothing was sent yet. */
export function MovingLook({ state, look }: { readonly state: MovingState; readonly look: Look }) {
  const send = useAction('moving.send')
  const undo = useAction('moving.undo')
  const use = useAction('settings.update')
  const blocking = look.problems.filter((problem) => problem.blocking)
  const isUsable = blocking.length > 0 && blocking.every(({ code }) => offersLess.has(code))
  const person = movingPerson(look, state.address)
  const error = send.error ?? undo.error ?? use.error
  return (
    <MovingPanel heading={movingHeading(state)}>
      {person !== null && <p className="moving-text">{person}</p>}
      {blocking.length === 0 && <p className="moving-text">{movingCounts(look)}</p>}
      {look.problems.length > 0 && (
        <ul className="moving-list">
          {look.problems.map(({ code, blocking: isBlocking }) => (
            <li key={code} className={isBlocking ? 'moving-point moving-point-needs' : 'moving-point'}>
              {isBlocking ? <CircleAlert aria-hidden /> : <Info aria-hidden />}
              <span>{movingProblem(code, look)}</span>
            </li>
          ))}
        </ul>
      )}
      {isUsable && <p className="moving-text">{words.useAnywayText}</p>}
      {error && <Problem code={error.code} />}
      <div className="moving-actions">
        {blocking.length === 0 && (
          <Button variant="filled" busy={send.isPending ? words.sending : undefined} onPress={() => send.mutate({})}>
            {words.send}
          </Button>
        )}
        {isUsable && (
          <Button onPress={() => use.mutate({ service_address: state.address })} busy={use.isPending ? words.looking : undefined}>
            {words.useAnyway}
          </Button>
        )}
        <Button onPress={() => undo.mutate({})}>{words.notNow}</Button>
      </div>
    </MovingPanel>
  )
}
