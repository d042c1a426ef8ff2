import { AppError, type ErrorCode } from '#contract/errors.ts'
import type { MethodInput, MethodName, MethodOutput } from '#contract/bridge/methods.ts'
import { Died, type Laptop } from './laptop.ts'
import type { Ledger, openLedger, Pending } from './ledger.ts'
import type { Practice } from './practice.ts'
import type { Step } from './steps.ts'
import type { VirtualTime } from './virtual-time.ts'

export interface World {
  readonly time: VirtualTime
  readonly practice: Practice
  readonly laptops: readonly Laptop[]
  readonly ledger: ReturnType<typeof openLedger>
  /** Before and after each time something is asked. */
  readonly onAsk?: () => void
}

/** One person at one laptop, doing one thing. */
export interface Act {
  readonly world: World
  readonly laptop: Laptop
  readonly step: Step
  readonly ledger: Ledger
  readonly edit: Ledger['edit']
  read<Name extends MethodName>(name: Name, input: MethodInput<Name>): Promise<MethodOutput<Name>>
  /** The answer, or null where it was refused or the laptop died of it; what was promised by it stands in the ledger. */
  ask<Name extends MethodName>(
    name: Name,
    input: MethodInput<Name>,
    promised?: readonly Pending[],
  ): Promise<MethodOutput<Name> | null>
}

/** What a person may be told at any time, and then nothing is done. */
const refusals: ReadonlySet<ErrorCode> = new Set([
  'stale-version',
  'vault-locked',
  'not-found',
  'consent-missing',
  'double-booking',
  'already-signed',
  'not-ready-to-sign',
  'conflict',
])

export function actOf(world: World, step: Step): Act {
  const laptop = world.laptops[step.on % world.laptops.length]!
  return {
    world,
    laptop,
    step,
    ledger: world.ledger,
    edit: world.ledger.editBy(laptop.name),
    read: (name, input) => laptop.call(name, input),
    async ask(name, input, promised = []) {
      world.onAsk?.()
      const answer = laptop.call(name, input)
      if (step.dies !== undefined) {
        answer.catch(() => {})
        for (let turn = 0; turn < step.dies; turn += 1) await Promise.resolve()
        laptop.die()
      }
      try {
        const value = await answer
        for (const { sure } of promised) sure()
        world.onAsk?.()
        return value
      } catch (error) {
        if (error instanceof Died) {
          for (const { perhaps } of promised) perhaps?.()
          return null
        }
        if (!(error instanceof AppError) || !refusals.has(error.code)) throw error
        for (const { refused } of promised) refused()
        return null
      }
    },
  }
}

/** The so-manieth of what is there, counted round; null where there is nothing. */
export function oneOf<Item>(items: readonly Item[], which: number): Item | null {
  return items[which % items.length] ?? null
}
