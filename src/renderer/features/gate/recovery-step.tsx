import { useState } from 'react'
import { gateStrings } from '#renderer/strings/gate.ts'
import { recoveryCodeStrings } from '#renderer/strings/recovery-code.ts'
import { Checkbox } from '#renderer/ui/choice.tsx'
import { copyText } from '#renderer/bridge/copy-text.ts'
import { RecoveryCode } from '#renderer/ui/recovery-code.tsx'
import { Step } from './step.tsx'

const words = gateStrings.recovery

export function RecoveryStep({ code, onDone }: { readonly code: string; readonly onDone: () => void }) {
  const [isWritten, setWritten] = useState(false)
  return (
    <Step
      title={words.title}
      lead={words.lead}
      {...(isWritten ? {} : { hint: recoveryCodeStrings.writtenFirst })}
      nextLabel={words.done}
      isDisabled={!isWritten}
      onNext={onDone}
    >
      <RecoveryCode code={code} onCopy={copyText} />
      <Checkbox isSelected={isWritten} onChange={setWritten}>
        {recoveryCodeStrings.written}
      </Checkbox>
    </Step>
  )
}
