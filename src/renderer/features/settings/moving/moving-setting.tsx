import type { Settings } from '#contract/bridge/settings.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { movingStrings as words, undoneText } from '#renderer/strings/moving.ts'
import { MovingCheck } from './moving-check.tsx'
import { MovingForm } from './moving-form.tsx'
import { MovingLook } from './moving-look.tsx'
import { MovingOnItsWay } from './moving-on-its-way.tsx'
import { MoveBack, OldStore } from './moved.tsx'
import './moving.css'

/** Step by step: what would move, on its way, compared, confirmed; each step stands in the place of the one before. */
export function MovingSetting({ settings }: { readonly settings: Settings }) {
  const { data: state } = useCall('moving.state', {})
  if (state === undefined) return null
  const isAtPractice = settings.service_address !== null
  switch (state.phase) {
    case 'looked':
      // Looked at, and then used without moving.
      if (state.look !== null && state.address !== settings.service_address) return <MovingLook state={state} look={state.look} />
      break
    case 'sending':
      return <MovingOnItsWay state={state} />
    case 'checked':
      return <MovingCheck state={state} />
    case 'none':
    case 'undone':
    case 'confirmed':
  }
  return (
    <>
      {isAtPractice && <OldStore state={state} />}
      {isAtPractice ? (
        <MoveBack />
      ) : (
        <MovingForm
          note={state.phase === 'undone' ? undoneText(state) : null}
          address={state.address ?? ''}
          title={words.title}
        />
      )}
    </>
  )
}
