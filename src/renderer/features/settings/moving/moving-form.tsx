import { useState, type FormEvent } from 'react'
import type { MethodInput } from '#contract/bridge/methods.ts'
import { isWebAddress } from '#renderer/lib/places.ts'
import { textOrNull } from '#renderer/lib/text.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { movingStrings as words } from '#renderer/strings/moving.ts'
import { settingsStrings } from '#renderer/strings/settings.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'

export function MovingForm({ note, address: before }: { readonly note: string | null; readonly address: string }) {
  const look = useAction('moving.look')
  const signIn = useSignIn('moving.signIn', 'moving.finishSignIn')
  const [address, setAddress] = useState(before)
  const [key, setKey] = useState('')
  const [wrong, setWrong] = useState<string | undefined>(undefined)
  const isRight = (): boolean => {
    const isAddress = isWebAddress(address.trim())
    setWrong(isAddress ? undefined : settingsStrings.wrongAddress)
    return isAddress
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isRight()) look.mutate({ address: address.trim(), key: textOrNull(key) })
  }
  const error = look.error ?? signIn.error
  const refused = error?.code === 'validation-failed' ? error.fields[0]?.message : undefined
  return (
    <form className="setting moving" onSubmit={submit}>
      <div className="setting-words">
        <p className="setting-label">{words.title}</p>
        {note !== null && <p className="setting-text moving-note">{note}</p>}
        <p className="setting-text">{words.text}</p>
      </div>
      <div className="moving-fields">
        <TextField
          label={words.address}
          help={words.addressHelp}
          error={wrong ?? refused}
          value={address}
          maxLength={500}
          onChange={setAddress}
        />
        <TextField label={words.key} help={words.keyHelp} type="password" value={key} maxLength={2000} onChange={setKey} />
      </div>
      <div className="moving-actions">
        <Button type="submit" busy={look.isPending && words.looking} label={words.look} />
        <LinkButton onPress={() => isRight() && signIn.open({ address: address.trim() })} label={words.signIn} />
      </div>
      <p className="caption moving-wide" role="status">
        {signIn.isWaiting ? words.signInWaiting : ''}
      </p>
      {error !== null && refused === undefined && error.code !== 'cancelled' && (
        <div className="moving-wide">
          <Problem code={error.code} />
        </div>
      )}
    </form>
  )
}

/** Opens the sign-in page in a browser, so that no password is typed into this page. */
export function useSignIn<Begin extends 'moving.signIn' | 'settings.signIn'>(
  beginName: Begin,
  finishName: 'moving.finishSignIn' | 'settings.finishSignIn',
) {
  const finish = useAction(finishName)
  const begin = useAction(beginName, (page) => {
    finish.mutate({})
    window.open(page.address, '_blank', 'noopener')
  })
  const open = (input: MethodInput<Begin>): void => {
    finish.reset()
    begin.mutate(input)
  }
  return { open, isWaiting: finish.isPending, isDone: finish.isSuccess, error: begin.error ?? finish.error }
}
