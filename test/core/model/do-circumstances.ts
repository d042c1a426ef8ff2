import type { Act } from './world.ts'

const minute = 60_000
const day = 86_400_000

/** What befalls a laptop, and what a person does about it. */
export const circumstances = {
  async lock({ laptop }: Act): Promise<void> {
    if (!laptop.isLocked) await laptop.lock()
  },
  async unlock({ laptop }: Act): Promise<void> {
    if (laptop.isLocked) await laptop.unlock()
  },
  async offline({ laptop }: Act): Promise<void> {
    laptop.line.connected = false
  },
  async online({ laptop }: Act): Promise<void> {
    laptop.line.connected = true
  },
  async weather({ laptop, step }: Act): Promise<void> {
    laptop.line.weather = [...(step.weather ?? [])]
  },
  async 'pass.moments'({ world, step }: Act): Promise<void> {
    await world.time.pass([200, 1000, 5000, minute, 10 * minute][step.what % 5]!)
  },
  async 'pass.days'({ world, step }: Act): Promise<void> {
    await world.time.pass((1 + (step.what % 20)) * day)
  },
  async 'pass.year'({ world }: Act): Promise<void> {
    await world.time.pass(366 * day)
  },
  async 'clock.jump'({ laptop, step }: Act): Promise<void> {
    laptop.clockAhead += ((step.what % 11) - 5) * day * (step.which % 3 === 0 ? 7 : 1)
  },
  async die({ laptop }: Act): Promise<void> {
    laptop.die()
  },
  async 'service.restart'({ world }: Act): Promise<void> {
    await world.practice.restart()
  },
  async retry(act: Act): Promise<void> {
    await act.ask('outbox.retry', {})
  },
}
