import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '#base/ids.ts'
import { allAgree, nothingVanished } from './checks.ts'
import { whatWasErasedStands, wordsLeftOn } from './checks-erased.ts'
import { formsAgree } from './checks-forms.ts'
import { soundsStand } from './checks-sound.ts'
import { doings, elsewhere } from './doings.ts'
import { Died, openLaptop } from './laptop.ts'
import { openLedger } from './ledger.ts'
import { openPractice, ownPractice } from './practice.ts'
import { heal } from './heal.ts'
import { seeded } from './random.ts'
import type { Step } from './steps.ts'
import { virtualTime } from './virtual-time.ts'
import { actOf, type World } from './world.ts'

const beginning = Date.UTC(2026, 2, 2, 8)
/** Steps between two looks at everything. */
const lookEvery = 20

/** In memory where there is such a place: what survives a death here is what the files say, and no disk has to be waited for. */
const place = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** None: one laptop, with nothing but the service on it. */
export type LaptopCount = 0 | 1 | 2 | 3

/** What is wrong after these steps; nothing, where all is well. */
export async function play(steps: readonly Step[], laptopCount: LaptopCount): Promise<string[]> {
  const root = mkdtempSync(join(place, 'afterword-model-'))
  const world = await openWorld(root, laptopCount)
  try {
    return await walk(world, steps)
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)]
  } finally {
    for (const laptop of world.laptops) await laptop.close()
    await world.practice.close()
    rmSync(root, { recursive: true, force: true })
  }
}

async function openWorld(root: string, laptopCount: LaptopCount): Promise<World> {
  const time = virtualTime()
  const ledger = openLedger()
  const random = seeded(1)
  if (laptopCount === 0) {
    const laptop = await openLaptop({ name: 'alone', root, time, beginning, random, practice: null }, null)
    return { time, ledger, laptops: [laptop], practice: ownPractice(laptop.ownService) }
  }
  const practice = await openPractice(root, { now: () => beginning + time.now(), elapsed: () => time.now() })
  const laptops = []
  // The second is the same person's, the third a colleague's.
  const [ana, ben] = [newId(), newId()]
  for (const name of ['ana', 'ana-home', 'ben'].slice(0, laptopCount)) {
    const key = await practice.keyFor(name === 'ben' ? ben : ana)
    laptops.push(await openLaptop({ name, root, time, beginning, random, practice }, key))
  }
  return { time, ledger, laptops, practice }
}

async function walk(world: World, steps: readonly Step[]): Promise<string[]> {
  for (const [index, step] of steps.entries()) {
    await take(world, step)
    // By the steps' own numbers, so that it is looked at the same moments where some are left out.
    const next = steps[index + 1]?.tag ?? Infinity
    if (Math.floor(step.tag / lookEvery) === Math.floor(next / lookEvery)) continue
    for (const laptop of world.laptops) {
      await laptop.open()
      const lost = laptop.isLocked ? [] : await unlessItDies(nothingVanished(world, laptop))
      if (lost.length > 0) return lost
    }
  }
  const stuck = await heal(world)
  if (stuck.length > 0) return stuck
  const problems = [
    ...(await allAgree(world)),
    ...(await whatWasErasedStands(world)),
    ...(await soundsStand(world)),
    ...(await formsAgree(world)),
  ]
  if (!(await world.practice.isChainWhole())) problems.push('the service’s audit chain is broken')
  for (const laptop of world.laptops) {
    await laptop.close()
    problems.push(...(await wordsLeftOn(world, laptop)))
    if (!(await laptop.isChainWhole())) problems.push(`the audit chain of ${laptop.name} is broken`)
  }
  return problems
}

/** Of what its loops do meanwhile: then it is looked at another time. */
async function unlessItDies(looking: Promise<string[]>): Promise<string[]> {
  try {
    return await looking
  } catch (error) {
    if (error instanceof Died) return []
    throw error
  }
}

async function take(world: World, step: Step): Promise<void> {
  const act = actOf(world, step)
  // Nothing happens twice at the same moment.
  await world.time.pass(1)
  await act.laptop.open()
  try {
    if (!act.laptop.isLocked || Object.hasOwn(elsewhere, step.do)) await doings[step.do](act)
  } catch (error) {
    if (!(error instanceof Died)) throw error
  }
  if (step.rests) await world.time.quiet()
}
