import { Died, type Laptop } from './laptop.ts'
import { actOf, type World } from './world.ts'
import { soundsCame } from './checks-sound.ts'
import { conflictsOf, decide } from './do-conflicts.ts'

const mostRounds = 40
/** What was sent from one laptop is fetched by the others. */
const calmRounds = 3
const minute = 60_000

/** All is well again, and everybody does what is asked of them. What is left undone after that, in words. */
export async function heal(world: World): Promise<string[]> {
  const { time, laptops } = world
  let calm = 0
  for (let round = 0; round < mostRounds; round += 1) {
    for (const laptop of laptops) await bringBack(laptop)
    await time.pass(2 * minute)
    const left = []
    for (const [on, laptop] of laptops.entries()) {
      left.push(...(await unlessItDied(laptop, () => doWhatIsAsked(world, on, round))))
    }
    calm = left.length === 0 ? calm + 1 : 0
    if (calm === calmRounds) return []
    if (round === mostRounds - 1) return left
  }
  return []
}

async function doWhatIsAsked(world: World, on: number, round: number): Promise<string[]> {
  const laptop = world.laptops[on]!
  const left = []
  const act = actOf(world, { do: 'resolve', on, which: 0, what: round, tag: 10_000 + round, rests: true })
  for (const conflict of await conflictsOf(act)) {
    left.push(`${laptop.name}: ${conflict.kind} ${conflict.record}`)
    await decide(act, conflict)
  }
  // After what is asked was answered: tried again, it would be refused for another reason meanwhile.
  await world.time.quiet()
  return [...left, ...(await soundsCame(world, laptop)), ...(await askedOf(laptop))]
}

/** Of a request that was under way as the weather cleared; the next round brings the laptop back. */
async function unlessItDied({ name }: Laptop, work: () => Promise<string[]>): Promise<string[]> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Died) return [`${name} died`]
    throw error
  }
}

async function bringBack(laptop: Laptop): Promise<void> {
  await laptop.open()
  laptop.line.connected = true
  laptop.line.weather = []
  if (laptop.isLocked) await laptop.unlock()
}

/** What waits at this laptop; what needs its person gets it. */
async function askedOf({ name, call }: Laptop): Promise<string[]> {
  const waiting = await call('outbox.list', {})
  for (const { session } of await call('sessions.list', {})) {
    const { work } = await call('notes.get', { session_id: session.id })
    if (work.state === 'failed') await call('notes.cancelDraft', { session_id: session.id })
  }
  if (waiting.some(({ state }) => state === 'needs_you')) await call('outbox.retry', {})
  return waiting.map(({ kind, state, attempts, error }) => `${name}: ${kind} ${state} ${attempts} ${error}`)
}
