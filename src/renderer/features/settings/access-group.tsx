import { useState } from 'react'
import { useAppState } from '#renderer/app/app-state.ts'
import { accessStrings as words } from '#renderer/strings/access.ts'
import { Button } from '#renderer/ui/button.tsx'
import { NewCodeDialog } from './new-code-dialog.tsx'
import { PassphraseDialog } from './passphrase-dialog.tsx'
import { Group } from './setting.tsx'

/** What opens the records when they are locked. */
export function AccessGroup() {
  const protection = useAppState()?.protection
  const [open, setOpen] = useState<'passphrase' | 'code' | null>(null)
  const close = (): void => setOpen(null)
  return (
    <Group title={words.title}>
      {protection === 'passphrase' && (
        <AccessRow {...words.passphrase} action={words.passphrase.change} onPress={() => setOpen('passphrase')} />
      )}
      <AccessRow {...words.code} action={words.code.make} onPress={() => setOpen('code')} />
      {open === 'passphrase' && <PassphraseDialog onClose={close} />}
      {open === 'code' && <NewCodeDialog hasPassphrase={protection === 'passphrase'} onClose={close} />}
    </Group>
  )
}

interface AccessRowProps {
  readonly label: string
  readonly text: string
  readonly action: string
  readonly onPress: () => void
}

function AccessRow({ label, text, action, onPress }: AccessRowProps) {
  return (
    <div className="setting">
      <div className="setting-words">
        <p className="setting-label">{label}</p>
        <p className="setting-text">{text}</p>
      </div>
      <Button onPress={onPress} aria-label={`${label}: ${action}`}>
        {action}
      </Button>
    </div>
  )
}
