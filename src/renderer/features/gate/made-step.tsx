import type { Protection } from '#contract/bridge/app.ts'
import { gateStrings } from '#renderer/strings/gate.ts'
import { Step } from './step.tsx'

const words = gateStrings.made

/** The records were made, and the core that made them went down before the recovery code was seen. */
export function MadeStep({ protection, onDone }: { readonly protection: Protection; readonly onDone: () => void }) {
  return (
    <Step title={words.title} lead={words.lead} nextLabel={gateStrings.recovery.done} onNext={onDone}>
      <p>{words.code}</p>
      <p>{protection === 'passphrase' ? words.passphrase : words.keychain}</p>
    </Step>
  )
}
