import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { templateSchema } from '#contract/model/template.ts'
import { rulesLanguage } from '#engines/language/rules/engine.ts'
import { checked } from './checked.ts'
import { scoreBehaviours } from './behaviours.ts'
import { parseCsv } from './csv.ts'
import type { Row } from './csv.ts'
import { scoreNotes } from './notes.ts'
import type { NotesScore } from './notes.ts'
import { meanRouge } from './rouge.ts'

const usage = `npm run eval -- FOLDER [--json] [--template soap]
Scores the writer on every CSV file in FOLDER that has the columns dialogue and note, and the classifier of what
therapists do on files of labelled utterances. Lines of a dialogue begin with who speaks: "[doctor] ..." or "Ada: ...".`

type FileResult =
  | ({ readonly file: string; readonly kind: 'notes' } & NotesScore)
  | { readonly file: string; readonly kind: 'labelled'; readonly scores: unknown; readonly text: string }
  | { readonly file: string; readonly kind: 'skipped'; readonly reason: string }

async function main(args: readonly string[]): Promise<void> {
  const options = optionsOf(args)
  const names = csvFilesIn(options.folder)
  if (names.length === 0) throw new Error(`no CSV file in ${options.folder}`)
  const results: FileResult[] = []
  for (const name of names) {
    const result = await resultOf(path.join(options.folder, name), name, options.template)
    results.push(result)
    if (!options.json) console.log(linesOf(result))
  }
  const notes = results.filter((result) => result.kind === 'notes')
  const mean = meanOf(notes)
  if (options.json) console.log(JSON.stringify({ files: results, mean }, null, 2))
  else if (mean) console.log(`\nmean of ${notes.length} ${notes.length === 1 ? 'file' : 'files'}\n${figures(mean)}`)
  if (results.every((result) => result.kind === 'skipped'))
    throw new Error('no file here could be scored: a dialogue and a note column, or labelled utterances, are needed')
}

function optionsOf(args: readonly string[]): {
  folder: string
  json: boolean
  template: ReturnType<typeof templateSchema.parse>
} {
  const at = args.indexOf('--template')
  const template = templateSchema.safeParse(at < 0 ? 'soap' : args[at + 1])
  if (!template.success) throw new Error(`no template is called ${args[at + 1] ?? 'nothing'}\n\n${usage}`)
  const folders = args.filter((arg, order) => !arg.startsWith('--') && (at < 0 || order !== at + 1))
  const unknown = args.find((arg) => arg.startsWith('--') && arg !== '--json' && arg !== '--template')
  if (unknown !== undefined) throw new Error(`${unknown} is not an option\n\n${usage}`)
  const [folder] = folders
  if (folder === undefined || folders.length > 1) throw new Error(`say one folder\n\n${usage}`)
  return { folder: path.resolve(process.env['INIT_CWD'] ?? '.', folder), json: args.includes('--json'), template: template.data }
}

function csvFilesIn(folder: string): string[] {
  if (!existsSync(folder)) throw new Error(`${folder} is not there`)
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is a file, and a folder is wanted`)
  return readdirSync(folder)
    .filter((name) => /\.csv$/i.test(name))
    .toSorted()
}

async function resultOf(file: string, name: string, template: ReturnType<typeof templateSchema.parse>): Promise<FileResult> {
  let table: { columns: readonly string[]; rows: readonly Row[] }
  try {
    table = parseCsv(readFileSync(file, 'utf8'))
  } catch (error) {
    return { file: name, kind: 'skipped', reason: `cannot be read: ${error instanceof Error ? error.message : String(error)}` }
  }
  if (table.columns.includes('dialogue') && table.columns.includes('note')) {
    const score = await scoreNotes(table.rows, checked(rulesLanguage()), template)
    return score.notes.length === 0
      ? { file: name, kind: 'skipped', reason: `no row could be scored (${score.skipped[0] ?? 'it has no rows'})` }
      : { file: name, kind: 'notes', ...score }
  }
  const behaviours = scoreBehaviours(file, table.columns)
  if (behaviours) return { file: name, kind: 'labelled', ...behaviours }
  return { file: name, kind: 'skipped', reason: 'it has neither a dialogue and a note column nor labelled utterances' }
}

type Figures = Omit<NotesScore, 'notes' | 'skipped'>

/** Each file counts once, whatever its number of notes. */
function meanOf(files: readonly NotesScore[]): Figures | null {
  if (files.length === 0) return null
  const mean = (of: (file: NotesScore) => number): number => files.reduce((sum, file) => sum + of(file), 0) / files.length
  const quoting = files.filter((file) => file.evidence !== null)
  return {
    ...meanRouge(files),
    length: mean((file) => file.length),
    evidence: quoting.length === 0 ? null : quoting.reduce((sum, file) => sum + (file.evidence ?? 0), 0) / quoting.length,
    unsupported: mean((file) => file.unsupported),
    omissions: mean((file) => file.omissions),
    ms: mean((file) => file.ms),
  }
}

function linesOf(result: FileResult): string {
  if (result.kind === 'skipped') return `\n${result.file}\n  left out: ${result.reason}`
  if (result.kind === 'labelled') return `\n${result.file}\n${result.text}`
  const skipped = result.skipped.map((reason) => `\n  left out: ${reason}`).join('')
  return `\n${result.file}  ${result.notes.length} ${result.notes.length === 1 ? 'note' : 'notes'}\n${figures(result)}${skipped}`
}

function figures(score: Figures): string {
  const percent = (share: number): string => (100 * share).toFixed(2)
  return [
    `  ROUGE-1 ${percent(score.r1)}  ROUGE-2 ${percent(score.r2)}  ROUGE-Lsum ${percent(score.rLsum)}`,
    `  length ${score.length.toFixed(2)} of the references`,
    `  evidence word for word ${score.evidence === null ? 'none quoted' : `${percent(score.evidence)} %`}`,
    `  unsupported statements ${Number(score.unsupported.toFixed(1))}   omissions listed ${Number(score.omissions.toFixed(1))}`,
    `  ${score.ms.toFixed(1)} ms a note`,
  ].join('\n')
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
