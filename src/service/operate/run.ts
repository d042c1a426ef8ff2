import type { Log } from '#base/log.ts'
import { backup } from './backup.ts'
import { exportKey, newOwnerKey } from './keys.ts'
import { migrateStore } from './migrate-store.ts'
import { Mistake } from './mistake.ts'
import { modelCommands } from './models.ts'
import { closePractice, exportToFile, importFromFile, removePractice, reopenPractice } from './move-practice.ts'
import { addPractice, changePlan, listPractices } from './practices.ts'
import { refused } from './refused.ts'
import { restore } from './restore.ts'
import { serve } from './serve.ts'
import type { Settings } from './settings.ts'
import { verify } from './verify.ts'

type Say = (line: string) => void
/** Ends with the program's exit code. */
type Run = (settings: Settings, log: Log, say: Say) => Promise<number>

interface Command {
  /** What each of its arguments is; none where it is left out. */
  readonly arguments?: readonly string[]
  /** How many more it may have. */
  readonly optional?: number
  readonly run: (settings: Settings, log: Log, say: Say, ...given: string[]) => Promise<number>
}

const done =
  (work: (settings: Settings, log: Log, say: Say) => Promise<void>): Run =>
  async (settings, log, say) => {
    await work(settings, log, say)
    return 0
  }

const models = modelCommands()
const model = 'the id of the model'

const commands: Readonly<Record<string, Command>> = {
  serve: { run: done(serve) },
  'audit verify': { run: verify },
  'audit refused': { run: done(refused) },
  backup: { arguments: ['the new folder that the copy goes to'], run: backup },
  restore: { arguments: ['the folder that the copy is in'], run: restore },
  migrate: { run: done(migrateStore) },
  keys: { run: done(newOwnerKey) },
  'practices add': { arguments: ['the name of the new practice'], run: addPractice },
  'practices list': { run: done(listPractices) },
  'practices export': { arguments: ['the id of the practice', 'the new file it goes to'], run: exportToFile },
  'practices import': { arguments: ['the file that holds the practice'], run: importFromFile },
  'practices close': { arguments: ['the id of the practice'], run: closePractice },
  'practices open': { arguments: ['the id of the practice'], run: reopenPractice },
  'practices remove': { arguments: ['the id of the practice'], run: removePractice },
  'practices plan': { arguments: ['the id of the practice', 'its plan (free, professional, enterprise)'], run: changePlan },
  'keys export': { arguments: ['the new file that the key goes to'], run: exportKey },
  models: { run: models.list },
  'models install': { arguments: [model], run: models.install },
  'models import': { arguments: ['the folder or file of the model'], optional: 1, run: models.import },
  'models choose': { arguments: [model], run: models.choose },
  'models test': { arguments: [model], run: models.test },
  'models remove': { arguments: [model], run: models.remove },
}

/** @throws Mistake */
export function findCommand(words: readonly string[]): Run {
  if (words.length === 0) return commands['serve']!.run as Run
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ')
    if (!Object.hasOwn(commands, name)) continue
    const { arguments: wanted = [], optional = 0, run } = commands[name]!
    const given = words.slice(length)
    if (given.length < wanted.length) throw new Mistake(`${name}: say ${wanted.slice(given.length).join(' and ')}.`)
    if (given.length > wanted.length + optional) throw new Mistake(`${name}: there is a word too many.`)
    return (settings, log, say) => run(settings, log, say, ...given)
  }
  throw new Mistake(`There is no command "${words.join(' ')}". --help names them all.`)
}
