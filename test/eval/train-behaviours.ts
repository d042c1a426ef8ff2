import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { fingerprint, labelledIn, ownExamples } from './behaviours.ts'
import { trainLinear } from './train-linear.ts'

/**
 * node test/eval/train-behaviours.ts FOLDER
 * Learns the weights of the therapist-behaviour classifier from the labelled files in FOLDER and our own examples
 * (docs/decisions/0006-therapist-behavior-classifier.md). Writes the weights and the fingerprints of what they were learnt
 * from, never a text.
 */
const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('say the folder with the labelled files')

const root = path.resolve(import.meta.dirname, '..', '..')
const found = labelledIn(path.resolve(process.env['INIT_CWD'] ?? '.', folder))
const model = trainLinear([...ownExamples(), ...found])
writeFileSync(path.join(root, 'src/engines/analysis/behaviours/weights.json'), `${JSON.stringify(model)}\n`)
const prints = [...new Set(found.map(({ text }) => fingerprint(text)))].toSorted()
writeFileSync(path.join(root, 'test/eval/behaviour-trained-on.json'), `${JSON.stringify(prints)}\n`)
process.stdout.write(`${found.length} utterances, ${Object.keys(model.weights).length} features; now oxfmt the two files\n`)
