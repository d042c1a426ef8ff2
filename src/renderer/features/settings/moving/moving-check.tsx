import { CircleAlert, CircleCheck } from 'lucide-react'
import type { MovingState } from '#contract/bridge/moving.ts'
import { useName } from '#renderer/lib/names.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import {
  differenceText,
  differenceTitle,
  movingHeading,
  movingResult,
  movingStrings as words,
  movingWaiting,
} from '#renderer/strings/moving.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { GiveUp } from './moving-on-its-way.tsx'
import { MovingPanel } from './moving-panel.tsx'

/** Compared, record by record; nothing is decided before the person says so. */
export function MovingCheck({ state }: { readonly state: MovingState }) {
  const confirm = useAction('moving.confirm')
  const { differing, waiting } = state
  const isSame = differing === 0
  return (
    <MovingPanel heading={movingHeading(state)}>
      <p className={isSame ? 'moving-point moving-point-kept' : 'moving-point moving-point-needs'} role="status">
        {isSame ? <CircleCheck aria-hidden /> : <CircleAlert aria-hidden />}
        <span>{movingResult(state)}</span>
      </p>
      {waiting !== null && <Notice>{movingWaiting(waiting)}</Notice>}
      {!isSame && <Differences state={state} />}
      <p className="moving-text">{words.confirmText(state)}</p>
      {!isSame && <p className="moving-text">{words.leaveText}</p>}
      {confirm.error && <Problem code={confirm.error.code} />}
      <div className="moving-actions">
        <Button
          variant={isSame ? 'filled' : 'outlined'}
          busy={confirm.isPending ? words.confirming : undefined}
          onPress={() => confirm.mutate({ leaving: !isSame })}
        >
          {isSame ? words.confirm(state) : words.leaveAndMove}
        </Button>
      </div>
      <GiveUp state={state} />
    </MovingPanel>
  )
}

function Differences({ state: { differences, differing } }: { readonly state: MovingState }) {
  const send = useAction('moving.send')
  const nameOf = useName()
  const hasRefused = differences.some(({ code }) => code !== 'differs')
  const hasOthers = differences.some(({ code }) => code === 'differs')
  return (
    <div className="moving-differences">
      <p className="setting-label">{words.differences}</p>
      <ul className="moving-list">
        {differences.map((difference) => (
          <li key={`${difference.kind} ${difference.id}`} className="moving-difference">
            <span className="moving-difference-title">{differenceTitle(difference, nameOf)}</span>
            <span className="moving-difference-text">{differenceText(difference)}</span>
          </li>
        ))}
      </ul>
      {differing > differences.length && <p className="caption">{words.more(differing - differences.length)}</p>}
      {send.error && <Problem code={send.error.code} />}
      <div className="moving-actions">
        {hasRefused && <Button onPress={() => send.mutate({})}>{words.again}</Button>}
        {hasOthers && <Button onPress={() => send.mutate({ over: true })}>{words.over}</Button>}
      </div>
    </div>
  )
}
