import { useState, type FormEvent } from 'react'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { settingsStrings } from '#renderer/strings/settings.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'

const words = settingsStrings.speech

interface KeySettingProps {
  readonly which: 'speech' | 'language' | 'service'
  readonly hasKey: boolean
  readonly text: string
}

/** The key goes to the keychain alone and never comes back into a window. */
export function KeySetting({ which, hasKey, text }: KeySettingProps) {
  const setKey = useAction('settings.setKey')
  const [typed, setTyped] = useState<string | null>(null)
  const keep = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (typed === null || typed.trim() === '') return
    const kept = await setKey.mutateAsync({ which, key: typed.trim() }).catch(() => null)
    if (kept) setTyped(null)
  }
  return (
    <div className="setting setting-key">
      <div className="setting-words">
        <p className="setting-label">{words.key}</p>
        <p className="setting-text">{text}</p>
        {typed !== null && (
          <form className="setting-key-form" onSubmit={(event) => void keep(event)}>
            <TextField
              label={words.key}
              isLabelHidden
              help={words.keyHelp}
              type="password"
              autoFocus
              maxLength={2000}
              value={typed}
              onChange={setTyped}
            />
            <Button type="submit" busy={setKey.isPending ? settingsStrings.saving : undefined}>
              {settingsStrings.save}
            </Button>
            <Button variant="quiet" onPress={() => setTyped(null)}>
              {settingsStrings.cancel}
            </Button>
          </form>
        )}
        {setKey.error && <Problem code={setKey.error.code} />}
      </div>
      {typed === null && (
        <div className="setting-actions">
          <Button onPress={() => setTyped('')}>{hasKey ? settingsStrings.change : words.keyAdd}</Button>
          {hasKey && (
            <Button variant="erasing" onPress={() => setKey.mutate({ which, key: null })}>
              {words.keyRemove}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
