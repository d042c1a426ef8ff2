import { env, stdout } from 'node:process'
import { expect, test } from 'vitest'
import { type LaptopCount, play } from './play.ts'
import { seeded } from './random.ts'
import { shrink } from './shrink.ts'
import { type Mix, someSteps } from './steps.ts'

const isFull = env['AFTERWORD_FAULTS'] === 'full'
/**
 * `AFTERWORD_SEED=… AFTERWORD_LAPTOPS=… AFTERWORD_MIX=…` plays one that failed again, and leaves out what it does not
 * need to fail; `AFTERWORD_TRACE=1` shows every call. What was found is kept in found.ts.
 */
const [seed, laptops, mix] = [env['AFTERWORD_SEED'], env['AFTERWORD_LAPTOPS'], env['AFTERWORD_MIX'] as Mix | undefined]
/** In the suite fewer: the first of the same. */
const stepsEach = isFull || seed !== undefined ? 120 : 80
const plays = Number(env['AFTERWORD_PLAYS'] ?? (seed === undefined ? (isFull ? 180 : 2) : 1))
const counts: readonly LaptopCount[] = laptops === undefined ? [2, 3, 2, 0, 2, 1] : [Number(laptops) as LaptopCount]

const say = (line: string): void => void stdout.write(`${line}\n`)

test('whatever befalls laptops and their service, nothing a person was told is done vanishes, or is done twice', async () => {
  const first = Number(seed ?? (isFull ? Math.floor(Math.random() * 2 ** 31) : 1))
  say(`${plays} plays of ${stepsEach} steps from seed ${first} on`)
  for (let count = 0; count < plays; count += 1)
    await playOnce(first + count, counts[count % counts.length]!, mix ?? (count % 3 === 0 ? 'first' : 'whole'))
})

async function playOnce(number: number, laptopCount: LaptopCount, of: Mix): Promise<void> {
  const steps = someSteps(seeded(number), stepsEach, of)
  const problems = await play(steps, laptopCount)
  if (problems.length === 0) return
  say(`seed ${number} of ${of} with ${laptopCount} laptops:\n${short(problems)}`)
  if (isFull || seed !== undefined) {
    const fewest = await shrink(steps, async (fewer) => (await play(fewer, laptopCount)).length > 0)
    say(`${JSON.stringify(fewest)}\n${short(await play(fewest, laptopCount))}`)
  }
  expect.unreachable(`AFTERWORD_SEED=${number} AFTERWORD_LAPTOPS=${laptopCount} AFTERWORD_MIX=${of}`)
}

function short(problems: readonly string[]): string {
  return problems
    .slice(0, 4)
    .map((problem) => problem.slice(0, 1200))
    .join('\n')
}
