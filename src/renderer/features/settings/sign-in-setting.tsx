import { useAction } from '#renderer/bridge/use-bridge.ts'
import { settingsStrings } from '#renderer/strings/settings.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Problem } from '#renderer/ui/page.tsx'

const words = settingsStrings.service

/** In the system's browser, where whoever signs in sees whose page it is; no password is typed into the app. */
export function SignInSetting() {
  const begin = useAction('settings.signIn')
  const finish = useAction('settings.finishSignIn')
  const signIn = async (): Promise<void> => {
    finish.reset()
    const page = await begin.mutateAsync({}).catch(() => null)
    if (page === null) return
    finish.mutate({})
    window.open(page.address, '_blank', 'noopener')
  }
  const error = begin.error ?? finish.error
  return (
    <div className="setting">
      <div className="setting-words">
        <p className="setting-label">{words.signIn}</p>
        <p className="setting-text" role="status">
          {finish.isPending ? words.signInWaiting : finish.isSuccess ? words.signInDone : words.signInText}
        </p>
        {error && error.code !== 'cancelled' && <Problem code={error.code} />}
      </div>
      <div className="setting-actions">
        <Button onPress={() => void signIn()}>{finish.isPending ? words.signInAgain : words.signInOpen}</Button>
      </div>
    </div>
  )
}
