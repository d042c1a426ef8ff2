import { forbidCoreDumps } from '#base/core-dumps.ts'
import { trustSystemCertificates } from '#base/practice-network.ts'
import { logAt } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import { Mistake } from './server-settings.ts'
import { readSettings, helpText, usage } from './read-settings.ts'

const say = (line: string): void => void process.stdout.write(`${line}\n`)

function stopWith(lines: readonly string[]): never {
  process.stderr.write(`${lines.join('\n')}\n`)
  process.exit(2)
}

async function main(): Promise<void> {
  forbidCoreDumps()
  const { words, isHelp, settings, mistakes } = readSettings(process.argv.slice(2), process.env)
  if (isHelp) return say(helpText())
  if (words.join(' ') === 'openapi') {
    const { openApiDocument } = await import('#contract/rest/openapi.ts')
    return say(JSON.stringify(openApiDocument(), null, 2))
  }
  if (settings === null) stopWith([...mistakes, usage])
  const log = logAt(settings.log_level, (line) => process.stderr.write(`${line}\n`))
  trustSystemCertificates(log)
  // Load the commands late, so that a usage error is reported fast.
  const { findCommand } = await import('./run.ts')
  process.exitCode = await findCommand(words)(settings, log, say)
}

try {
  await main()
} catch (error) {
  if (error instanceof Mistake) stopWith([error.message])
  if (error instanceof AppError) stopWith([error.detail ?? error.message])
  throw error
}
