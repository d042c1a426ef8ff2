import { useState } from 'react'
import type { Session } from '#contract/model/session.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { noteWords } from '#renderer/strings/note.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { realTimes, typedTimes } from './real-times.ts'

const words = noteWords.payer

/** When the session really began and ended, typed where no recording tells it, or corrected where one does. */
export function RealTimesFields({ session }: { readonly session: Session }) {
  const known = typedTimes(session)
  const [typed, setTyped] = useState(known)
  const [isWrong, setWrong] = useState(false)
  const update = useAction('sessions.update')
  const isChanged = typed.began !== known.began || typed.ended !== known.ended
  const save = (): void => {
    const patch = realTimes(session, typed)
    setWrong(patch === null)
    if (patch !== null) update.mutate({ id: session.id, version: session.version, patch })
  }
  const onKeyDown = ({ key }: { readonly key: string }): void => {
    if (key === 'Enter' && isChanged) save()
  }
  return (
    <div className="payer-times">
      <TextField
        label={words.began}
        value={typed.began}
        onChange={(began) => setTyped({ ...typed, began })}
        onKeyDown={onKeyDown}
        placeholder={words.timeExample}
        error={isWrong ? words.timesWrong : undefined}
      />
      <TextField
        label={words.ended}
        value={typed.ended}
        onChange={(ended) => setTyped({ ...typed, ended })}
        onKeyDown={onKeyDown}
        placeholder={words.timeExample}
      />
      {isChanged && (
        <Button variant="outlined" onPress={save} isDisabled={update.isPending}>
          {words.saveTimes}
        </Button>
      )}
      {update.error && <Problem code={update.error.code} />}
    </div>
  )
}
