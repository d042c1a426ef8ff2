import type { MovingState } from '#contract/bridge/moving.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { movingStrings as words } from '#renderer/strings/moving.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Problem } from '#renderer/ui/page.tsx'

/** What the service inside the app still has after the move; it goes by the person's leave. */
export function OldStore({ state: { old_store } }: { readonly state: MovingState }) {
  const erase = useAction('moving.eraseOldStore')
  if (old_store !== 'kept' && old_store !== 'erasing') return null
  return (
    <div className="setting">
      <div className="setting-words">
        <p className="setting-label">{words.oldStore.title}</p>
        <p className="setting-text" role="status">
          {old_store === 'kept' ? words.oldStore.kept : words.oldStore.erasing}
        </p>
        {erase.error && <Problem code={erase.error.code} />}
      </div>
      {old_store === 'kept' && (
        <Button variant="erasing" onPress={() => erase.mutate({})}>
          {words.oldStore.erase}
        </Button>
      )}
    </div>
  )
}

export function MoveBack() {
  const look = useAction('moving.look')
  return (
    <div className="setting">
      <div className="setting-words">
        <p className="setting-label">{words.back.title}</p>
        <p className="setting-text">{words.back.text}</p>
        {look.error && <Problem code={look.error.code} />}
      </div>
      <Button busy={look.isPending ? words.looking : undefined} onPress={() => look.mutate({ address: null, key: null })}>
        {words.back.look}
      </Button>
    </div>
  )
}
