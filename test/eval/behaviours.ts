import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { Act } from '#engines/analysis/behaviours/act.ts'
import { actOf, acts } from '#engines/analysis/behaviours/act.ts'
import { byFourPatterns, majority } from './behaviour-baselines.ts'
import type { LabelledUtterance } from './behaviour-labels.ts'
import { readLabelled } from './behaviour-labels.ts'
import type { Scores } from './behaviour-scores.ts'
import { scoresOf } from './behaviour-scores.ts'
import { parseCsv } from './csv.ts'
import type { Labelled } from './labelled.ts'
import { trainLinear } from './train-linear.ts'

const folds = 5
const ownFile = new URL('behaviour-examples.tsv', import.meta.url)
const trainedFile = new URL('behaviour-trained-on.json', import.meta.url)

/** The four acts on one file of labelled utterances, beside what needs no model. Null where its labels are of no known set. */
export function scoreBehaviours(file: string, columns: readonly string[]): Labelled | null {
  const utterances = readLabelled(columns, parseCsv(readFileSync(file, 'utf8')).rows)
  if (utterances === null || utterances.length === 0) return null
  const trainedOn = readTrainedOn()
  const isSeen = utterances.some(({ text }) => trainedOn.has(fingerprint(text)))
  const others = isSeen ? trainingSetIn(path.dirname(file), trainedOn) : []
  const said = isSeen ? crossValidated(utterances, others) : utterances.map(({ text, previous }) => actOf(text, previous))
  const most = majority(utterances)
  const byPatterns = utterances.map(({ text }) => byFourPatterns(text))
  const scores = {
    utterances: utterances.length,
    how: isSeen ? `cross-validated in ${folds} parts, no conversation in both` : 'the shipped weights, which never saw this file',
    classifier: judged(utterances, said),
    majority_class: judged(
      utterances,
      utterances.map(() => most),
    ),
    four_patterns: judged(utterances, byPatterns),
    one_label_only: oneLabelOnly(utterances, said, byPatterns),
    without_this_file: isSeen ? withoutThisFile(utterances, others) : null,
  }
  return { scores, text: linesOf(scores) }
}

/** Utterances of our own, written for this and part of the repository. */
export function ownExamples(): LabelledUtterance[] {
  const lines = readFileSync(ownFile, 'utf8')
    .split('\n')
    .filter((line) => line.includes('\t'))
  return lines.map((line) => {
    const [act = 'other', text = ''] = line.split('\t')
    return { act: act as Act, among: acts, text, previous: null, group: text }
  })
}

/** Twelve hexadecimal digits of SHA-256 of the words: which texts were learnt from, without the texts. */
export function fingerprint(text: string): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return createHash('sha256').update(plain).digest('hex').slice(0, 12)
}

function readTrainedOn(): Set<string> {
  return new Set(existsSync(trainedFile) ? (JSON.parse(readFileSync(trainedFile, 'utf8')) as string[]) : [])
}

/** All labelled utterances in a folder that the shipped weights were learnt from. */
function trainingSetIn(folder: string, trainedOn: ReadonlySet<string>): LabelledUtterance[] {
  const found = labelledIn(folder).filter(({ text }) => trainedOn.has(fingerprint(text)))
  return [...ownExamples(), ...found]
}

export function labelledIn(folder: string): LabelledUtterance[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.csv'))
    .toSorted()
    .flatMap((name) => {
      const { columns, rows } = parseCsv(readFileSync(path.join(folder, name), 'utf8'))
      return readLabelled(columns, rows) ?? []
    })
}

/** Each part is judged by weights learnt from the rest; what is learnt from holds no text and no conversation of it. */
function crossValidated(utterances: readonly LabelledUtterance[], all: readonly LabelledUtterance[]): Act[] {
  const said = new Map<LabelledUtterance, Act>()
  for (let fold = 0; fold < folds; fold += 1) {
    const held = utterances.filter(({ group }) => foldOf(group) === fold)
    const groups = new Set(held.map(({ group }) => group))
    const texts = new Set(held.map(({ text }) => fingerprint(text)))
    const model = trainLinear(all.filter(({ group, text }) => !groups.has(group) && !texts.has(fingerprint(text))))
    for (const each of held) said.set(each, actOf(each.text, each.previous, model))
  }
  return utterances.map((each) => said.get(each) ?? 'other')
}

const foldOf = (group: string): number => Number.parseInt(fingerprint(group).slice(0, 6), 16) % folds

/** Learnt from all else: what may be expected of talk of another kind. */
function withoutThisFile(utterances: readonly LabelledUtterance[], all: readonly LabelledUtterance[]): Scores {
  const texts = new Set(utterances.map(({ text }) => fingerprint(text)))
  const model = trainLinear(all.filter(({ text }) => !texts.has(fingerprint(text))))
  return judged(
    utterances,
    utterances.map(({ text, previous }) => actOf(text, previous, model)),
  )
}

/** An utterance its labellers put in several classes has no one right answer. */
function oneLabelOnly(
  utterances: readonly LabelledUtterance[],
  said: readonly Act[],
  byPatterns: readonly Act[],
): OneLabelOnly | null {
  const labels = new Map<string, Set<Act>>()
  for (const { text, act } of utterances) labels.set(text, (labels.get(text) ?? new Set<Act>()).add(act))
  const several = utterances.filter(({ text }) => (labels.get(text)?.size ?? 0) > 1)
  if (several.length < utterances.length / 20) return null
  const single = utterances.flatMap((each, at) => (labels.get(each.text)?.size === 1 ? [at] : []))
  const of = (answers: readonly Act[]): Scores => scoresOf(single.map((at) => ({ is: utterances[at]!.act, said: answers[at]! })))
  return { utterances: single.length, classifier: of(said), four_patterns: of(byPatterns) }
}

interface OneLabelOnly {
  readonly utterances: number
  readonly classifier: Scores
  readonly four_patterns: Scores
}

function judged(utterances: readonly LabelledUtterance[], said: readonly Act[]): Scores {
  return scoresOf(utterances.map(({ act }, at) => ({ is: act, said: said[at]! })))
}

function linesOf(scores: {
  utterances: number
  how: string
  classifier: Scores
  majority_class: Scores
  four_patterns: Scores
  one_label_only: OneLabelOnly | null
  without_this_file: Scores | null
}): string {
  const percent = (share: number): string => (100 * share).toFixed(1).padStart(5)
  const classes = scores.classifier.classes
    .filter(({ count }) => count > 0)
    .map(
      ({ act, count, precision, recall, f1 }) =>
        `  ${act.padEnd(12)} precision ${percent(precision)}  recall ${percent(recall)}  F1 ${percent(f1)}  of ${count}`,
    )
  const line = (name: string, { macro_f1 }: Scores): string => `  macro-F1 ${percent(macro_f1)}  ${name}`
  return [
    `  ${scores.utterances} labelled utterances of therapists; ${scores.how}`,
    ...classes,
    line('the classifier', scores.classifier),
    line('four regular expressions', scores.four_patterns),
    line('the majority class', scores.majority_class),
    ...(scores.one_label_only
      ? [
          line(
            `the classifier, on the ${scores.one_label_only.utterances} utterances with one label alone`,
            scores.one_label_only.classifier,
          ),
          line('four regular expressions, on those', scores.one_label_only.four_patterns),
        ]
      : []),
    ...(scores.without_this_file ? [line('the classifier, taught without this file at all', scores.without_this_file)] : []),
  ].join('\n')
}
