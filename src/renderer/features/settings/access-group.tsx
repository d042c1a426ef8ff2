import { useState, type ReactNode } from 'react'
import type { MethodOutput } from '#contract/bridge/methods.ts'
import { useAppState } from '#renderer/lib/app-state.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { accessStrings as words } from '#renderer/strings/access.ts'
import { Button } from '#renderer/ui/button.tsx'
import { formatClock, formatFullDate } from '#renderer/strings/time.ts'
import { NewCodeDialog } from './new-code-dialog.tsx'
import { PassphraseDialog } from './passphrase-dialog.tsx'
import { Group } from './setting.tsx'

/** What opens the records when they are locked. */
export function AccessGroup() {
  const protection = useAppState()?.protection
  const [open, setOpen] = useState<'passphrase' | 'code' | null>(null)
  const made = useCall('vault.recoveryCodeMade', {})
  const close = (): void => {
    setOpen(null)
    void made.refetch()
  }
  return (
    <Group title={words.title}>
      {protection === 'passphrase' && (
        <AccessRow {...words.passphrase} action={words.passphrase.change} onPress={() => setOpen('passphrase')} />
      )}
      <AccessRow {...words.code} action={words.code.make} onPress={() => setOpen('code')}>
        {made.data && <p className="caption">{lastMade(made.data)}</p>}
      </AccessRow>
      {open === 'passphrase' && <PassphraseDialog onClose={close} />}
      {open === 'code' && <NewCodeDialog hasPassphrase={protection === 'passphrase'} onClose={close} />}
    </Group>
  )
}

type Made = NonNullable<MethodOutput<'vault.recoveryCodeMade'>>

function lastMade({ made_at, is_proven }: Made): string {
  return (is_proven ? words.code.made : words.code.madeUnproven)(formatFullDate(made_at), formatClock(made_at))
}

interface AccessRowProps {
  readonly label: string
  readonly text: string
  readonly action: string
  readonly onPress: () => void
  readonly children?: ReactNode
}

function AccessRow({ label, text, action, onPress, children }: AccessRowProps) {
  return (
    <div className="setting">
      <div className="setting-words">
        <p className="setting-label">{label}</p>
        <p className="setting-text">{text}</p>
        {children}
      </div>
      <Button onPress={onPress} aria-label={`${label}: ${action}`}>
        {action}
      </Button>
    </div>
  )
}
