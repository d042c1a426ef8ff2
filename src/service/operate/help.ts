import { aboutSetting, settingNames } from './settings.ts'

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

/** All of it, as `--help` prints it. */
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
