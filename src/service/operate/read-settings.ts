import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import help from './help.json' with { type: 'json' }
import { aboutSetting, type SettingName, settingNames, type Settings, settingsSchema } from './settings.ts'

export interface CommandLine {
  readonly words: readonly string[]
  readonly isHelp: boolean
  readonly settings: Settings | null
  readonly mistakes: readonly string[]
}

type Environment = Readonly<Record<string, string | undefined>>

export function readSettings(args: readonly string[], environment: Environment): CommandLine {
  const mistakes: string[] = []
  const { words, flags, isHelp } = readFlags(args, mistakes)
  const given: Partial<Record<SettingName, string>> = {}
  for (const name of settingNames) {
    const value = flags[name] ?? fromEnvironment(name, environment, mistakes)
    if (value !== undefined) given[name] = value
  }
  const read = settingsSchema.safeParse(given)
  for (const issue of read.error?.issues ?? []) mistakes.push(`${calledOf(issue.path)} ${issue.message}`)
  return { words, isHelp, settings: mistakes.length === 0 ? (read.data ?? null) : null, mistakes }
}

function readFlags(args: readonly string[], mistakes: string[]) {
  const known = new Map(
    settingNames.flatMap((name) => {
      const { flag } = aboutSetting(name)
      return flag === undefined ? [] : [[flag, name] as const]
    }),
  )
  const options = Object.fromEntries(
    [...known].map(([flag, name]) => {
      return [flag, { type: aboutSetting(name).value === undefined ? ('boolean' as const) : ('string' as const) }]
    }),
  )
  const { tokens } = parseArgs({
    args: [...args],
    options: { ...options, help: { type: 'boolean', short: 'h' } },
    strict: false,
    tokens: true,
    allowPositionals: true,
  })
  const flags: Partial<Record<SettingName, string>> = {}
  const words: string[] = []
  let isHelp = false
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const name = known.get(token.name)
    if (token.name === 'help') isHelp = true
    else if (name === undefined) mistakes.push(`${token.rawName} is not a flag of this program`)
    else if (aboutSetting(name).value !== undefined && token.value === undefined) mistakes.push(`${token.rawName} needs a value`)
    else if (flags[name] !== undefined) mistakes.push(`${token.rawName} is given more than once`)
    else flags[name] = token.value ?? '1'
  }
  return { words, flags, isHelp }
}

/** An empty variable counts as unset, because compose files pass unset variables as empty. */
function fromEnvironment(name: SettingName, environment: Environment, mistakes: string[]): string | undefined {
  const { variable, isSecret } = aboutSetting(name)
  const value = environment[variable] || undefined
  const file = isSecret ? environment[`${variable}_FILE`] || undefined : undefined
  if (file === undefined) return value
  if (value !== undefined) mistakes.push(`${variable} and ${variable}_FILE are both set: one of them`)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    mistakes.push(`${variable}_FILE names a file that cannot be read`)
    return undefined
  }
}

function calledOf([name, ...inside]: readonly PropertyKey[]): string {
  const { flag, variable } = aboutSetting(name as SettingName)
  const called = flag === undefined ? variable : `--${flag} (${variable})`
  return `${called}:${inside.length > 0 ? ` ${inside.join('.')}` : ''}`
}

export function helpText(): string {
  const width = 28
  const entry = (left: string, right: string): string => `  ${left.padEnd(width)} ${right}`
  const settings = settingNames.map((name) => {
    const { flag, variable, value, help: text, isSecret } = aboutSetting(name)
    const left = flag === undefined ? variable : `--${flag}${value === undefined ? '' : ` ${value}`}`
    const also = isSecret ? ` [or ${variable}_FILE]` : flag === undefined ? '' : ` [${variable}]`
    return entry(left, text + also)
  })
  return [
    'The Clinical Documentation Service, alone, for callers with keys.',
    '',
    usage,
    '',
    ...Object.entries(help.commands).map(([command, text]) => entry(command, text)),
    '',
    'Settings, by flag or by environment (in brackets); the flag wins:',
    ...settings,
    '',
    'SIGTERM and SIGINT end it when the calls under way are answered; a second one ends it at once.',
    'SIGHUP reads the TLS certificate again.',
  ].join('\n')
}

export const usage = 'usage: npm run service -- [COMMAND] --data DIR [--port N] [--help]'
