import { CloudOff, KeyRound, Hourglass } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import type { MovingState } from '#contract/bridge/moving.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { movingHeading, movingProgress, movingStrings as words, movingWaiting } from '#renderer/strings/moving.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { MovingPanel } from './moving-panel.tsx'

const icons = { quota: Hourglass, network: CloudOff, key: KeyRound }

export function MovingOnItsWay({ state }: { readonly state: MovingState }) {
  const { total, sent, checked, waiting } = state
  // Sent and compared are each half of the way.
  const done = total === 0 ? 0 : (sent + checked) / (2 * total)
  const quarter = Math.floor(done * 4) * 25
  return (
    <MovingPanel heading={movingHeading(state)}>
      <p className="moving-text moving-figures">{movingProgress(state)}</p>
      <progress className="ui-progress" value={done} max={1} aria-label={movingHeading(state)} />
      <span className="visually-hidden" role="status">
        {quarter > 0 ? `${quarter}%` : ''}
      </span>
      {waiting !== null && (
        <div role="status">
          <Notice icon={icons[waiting.reason]}>{movingWaiting(waiting)}</Notice>
        </div>
      )}
      {waiting?.reason === 'key' && <NewKey />}
      <p className="moving-text">{words.work}</p>
      <GiveUp state={state} />
    </MovingPanel>
  )
}

function NewKey() {
  const setKey = useAction('moving.setKey')
  const [typed, setTyped] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (typed.trim() !== '') setKey.mutate({ key: typed.trim() })
  }
  return (
    <form className="moving-fields" onSubmit={submit}>
      <TextField label={words.newKey} help={words.keyHelp} type="password" value={typed} maxLength={2000} onChange={setTyped} />
      <Button type="submit" variant="filled" busy={setKey.isPending ? words.looking : undefined}>
        {words.useKey}
      </Button>
      {setKey.error && <Problem code={setKey.error.code} />}
    </form>
  )
}

export function GiveUp({ state }: { readonly state: MovingState }) {
  const undo = useAction('moving.undo')
  return (
    <>
      {state.address !== null && <p className="caption">{words.giveUpText(new URL(state.address).host)}</p>}
      {undo.error && <Problem code={undo.error.code} />}
      <div className="moving-actions">
        <Button busy={undo.isPending ? words.givingUp : undefined} onPress={() => undo.mutate({})}>
          {words.giveUp}
        </Button>
      </div>
    </>
  )
}
