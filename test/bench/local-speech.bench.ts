/**
 * Words and speakers by models on this machine, through the whole service, against the same libraries by themselves;
 * and that a long recording needs no more memory than a short one. The longest takes a while: AFTERWORD_BENCH_MINUTES
 * (240 by default) names another length.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { report } from './records-bench-kit.ts'

const run = promisify(execFile)
const child = new URL('./local-speech-child.ts', import.meta.url).pathname
const short = 10
const long = Number(process.env['AFTERWORD_BENCH_MINUTES'] ?? 240)
/** Each is run so often, the better one counts: something else on the machine only ever adds time. */
const runs = 3

interface Figures {
  readonly seconds: number
  /** Of the engine's process alone: what is left where the machine has other things to do. */
  readonly processor_seconds: number
  readonly service_bytes: number
  readonly engine_bytes: number
}

async function measure(what: 'service' | 'bare', minutes: number): Promise<Figures> {
  const { stdout } = await run(process.execPath, [child, what, String(minutes)])
  return JSON.parse(stdout) as Figures
}

/** By turns, so that a busy minute of the machine falls on both. */
async function best(): Promise<{ bare: Figures; whole: Figures }> {
  const all: { bare: Figures; whole: Figures }[] = []
  for (let index = 0; index < runs; index += 1)
    all.push({ bare: await measure('bare', short), whole: await measure('service', short) })
  const quickest = (figures: readonly Figures[]): Figures => figures.toSorted((left, right) => left.seconds - right.seconds)[0]!
  return { bare: quickest(all.map((one) => one.bare)), whole: quickest(all.map((one) => one.whole)) }
}

const isImpossible =
  leftOut('speech by models on this machine', await unmet('test-data')) ||
  leftOut('speech by models on this machine', existsSync('/proc/self/status') ? null : 'memory is read from /proc')
if (!isImpossible) {
  const { bare, whole } = await best()
  report(`the pipeline's time over the bare engine's, ${short} minutes`, whole.seconds / bare.seconds, 'times', 1.1)
  const shares = [whole, bare].map(
    ({ seconds, processor_seconds }) => `${seconds.toFixed(1)} s (processor ${processor_seconds.toFixed(1)} s)`,
  )
  process.stdout.write(`        ${shares.join(', the bare engine ')}\n`)
  const much = await measure('service', long)
  const megabytes = ({ service_bytes, engine_bytes }: Figures): number => (service_bytes + engine_bytes) / 1e6
  report(`more memory for ${long} minutes than for ${short}`, Math.max(0, megabytes(much) - megabytes(whole)), 'MB', 150)
  const shown = ({ service_bytes, engine_bytes }: Figures): string =>
    `${Math.round(service_bytes / 1e6)} + ${Math.round(engine_bytes / 1e6)} MB`
  process.stdout.write(`        service + engine: ${shown(whole)} and ${shown(much)}, ${much.seconds.toFixed(0)} s\n`)
}
