import { useState } from 'react'
import type { ErrorCode } from '#contract/errors.ts'
import type { MethodInput } from '#contract/bridge/methods.ts'
import { accessStrings } from '#renderer/strings/access.ts'
import { LinkButton } from '#renderer/ui/button.tsx'
import { TextField } from '#renderer/ui/field.tsx'

const words = accessStrings.proof

export type Proof = MethodInput<'vault.unlock'>

export interface ProofState {
  readonly way: 'passphrase' | 'code'
  readonly typed: string
  readonly isMissing: boolean
  change(state: { readonly way?: 'passphrase' | 'code'; readonly typed?: string }): void
  /** What the core is shown; null where nothing was typed, which the field then says. */
  take(): Proof | null
}

/** That whoever sits here may open the records, though they are open. */
export function useProof(): ProofState {
  const [way, setWay] = useState<'passphrase' | 'code'>('passphrase')
  const [typed, setTyped] = useState('')
  const [isMissing, setMissing] = useState(false)
  return {
    way,
    typed,
    isMissing,
    change: (state) => {
      setWay(state.way ?? way)
      setTyped(state.typed ?? '')
      setMissing(false)
    },
    take: () => {
      if (typed.trim() === '') {
        setMissing(true)
        return null
      }
      return way === 'passphrase' ? { passphrase: typed } : { recovery_code: typed.trim().slice(0, 200) }
    },
  }
}

export const isAboutProof = (code: ErrorCode | null): boolean => code === 'wrong-passphrase' || code === 'wrong-recovery-code'

export function ProofField({ proof, error }: { readonly proof: ProofState; readonly error: ErrorCode | null }) {
  const wrong = proof.way === 'passphrase' ? words.wrongPassphrase : words.wrongCode
  return (
    <div className="access-proof">
      <TextField
        key={proof.way}
        label={proof.way === 'passphrase' ? words.passphrase : words.code}
        type={proof.way === 'passphrase' ? 'password' : 'text'}
        autoFocus
        maxLength={1000}
        value={proof.typed}
        onChange={(typed) => proof.change({ typed })}
        error={proof.isMissing ? words.missing : isAboutProof(error) ? wrong : undefined}
      />
      <LinkButton onPress={() => proof.change({ way: proof.way === 'passphrase' ? 'code' : 'passphrase' })}>
        {proof.way === 'passphrase' ? words.useCode : words.usePassphrase}
      </LinkButton>
    </div>
  )
}
