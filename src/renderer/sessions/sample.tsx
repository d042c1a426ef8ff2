import { FlaskConical, Headphones } from 'lucide-react'
import { isSample } from '#contract/bridge/sample.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { useSettings } from '#renderer/lib/app-state.ts'
import { navigate, sessionPath } from '#renderer/lib/routes.ts'
import { clientsStrings } from '#renderer/strings/clients.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'

const words = clientsStrings.sample

/** Adds the sample client, or finds it again, and opens its session. */
export function LookAround() {
  const add = useAction('sample.add', ({ session_id }) => navigate(sessionPath(session_id, 'note')))
  // A practice's server never gets the sample.
  if (useSettings()?.service_address !== null) return null
  return (
    <>
      <Button icon={Headphones} busy={add.isPending && words.adding} onPress={() => add.mutate({})} label={words.add} />
      {add.error !== null && <Problem code={add.error.code} />}
    </>
  )
}

export function SampleNotice({ clientId }: { readonly clientId: string }) {
  const toast = useToast()
  const remove = useAction('sample.remove', () => {
    toast({ text: words.removed })
    navigate('/today')
  })
  if (!isSample(clientId)) return null
  return (
    <Notice
      icon={FlaskConical}
      title={words.title}
      text={remove.error === null ? words.text : <Problem code={remove.error.code} />}
      actions={<Button busy={remove.isPending && words.removing} onPress={() => remove.mutate({})} label={words.remove} />}
    />
  )
}
