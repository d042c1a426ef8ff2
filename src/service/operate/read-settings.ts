import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
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

const commands: readonly (readonly [string, string])[] = [
  ['serve', 'answer calls until told to stop (what it does without a command)'],
  ['audit verify', 'verify the chain of every practice’s audit log; 1 where one is broken (see --at-least)'],
  ['audit refused', 'calls of the last 30 days with no key or a wrong one, by hour and address'],
  ['backup DIR', 'a whole, encrypted copy into DIR, which must be new; the service may go on meanwhile'],
  ['restore DIR', 'put such a copy in place of no data, and look that it is whole'],
  ['migrate', 'bring the store to this release and end'],
  ['keys', 'print a new owner key, where the last was lost; shown once; with several practices --practice names one'],
  ['keys export FILE', 'write the key of the store to a new file, to be kept away from the data and its backups'],
  ['practices add NAME', 'a new practice in this store, with --plan; prints the key of its owner, shown once'],
  ['practices list', 'the practices of this store, with id, plan and day of creation'],
  ['practices export ID FILE', 'close a practice here and write all of it to FILE, sealed with a key in FILE.key'],
  ['practices import FILE', 'put such a practice into this store, and compare it with what was exported'],
  ['practices close ID', 'end the service for a practice here; --moved-to tells its callers where it is now'],
  ['practices open ID', 'answer for a closed practice again'],
  ['practices remove ID', 'remove the records of a closed practice from this store'],
  ['practices plan ID PLAN', 'give a practice another plan; running services follow at once'],
  ['models', 'list the speech models of this machine: available, installed, in use'],
  ['models install ID', 'download a model, verify and test it; run it again to resume a download that was stopped'],
  ['models import PATH [NAME]', 'import models from a folder or file; with NAME, a model of your own'],
  ['models choose ID', 'use this installed model for its task'],
  ['models test ID', 'test an installed model on a few seconds of speech'],
  ['models remove ID', 'delete a model or a partial download'],
  ['openapi', 'print the OpenAPI document'],
]

export function helpText(): string {
  const width = 28
  const entry = (left: string, right: string): string => `  ${left.padEnd(width)} ${right}`
  const settings = settingNames.map((name) => {
    const { flag, variable, value, help, isSecret } = aboutSetting(name)
    const left = flag === undefined ? variable : `--${flag}${value === undefined ? '' : ` ${value}`}`
    const also = isSecret ? ` [or ${variable}_FILE]` : flag === undefined ? '' : ` [${variable}]`
    return entry(left, help + also)
  })
  return [
    'The Clinical Documentation Service, alone, for callers with keys.',
    '',
    usage,
    '',
    ...commands.map(([command, help]) => entry(command, help)),
    '',
    'Settings, by flag or by environment (in brackets); the flag wins:',
    ...settings,
    '',
    'SIGTERM and SIGINT end it when the calls under way are answered; a second one ends it at once.',
    'SIGHUP reads the TLS certificate again.',
  ].join('\n')
}

export const usage = 'usage: npm run service -- [COMMAND] --data DIR [--port N] [--help]'
