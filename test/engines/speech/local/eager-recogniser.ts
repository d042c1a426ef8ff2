import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecognizerModel } from '#engines/speech/port.ts'
import { model, node, tensor, value } from '#test/support/onnx-writer.ts'

/** Writes a recogniser into `folder` that hears one made-up word in any sound at all, as some do in silence. */
export function eagerRecogniser(folder: string): () => RecognizerModel {
  const nodes = [
    node('ReduceMean', ['x'], ['mean'], { axes: [2], keepdims: 1 }),
    node('Mul', ['mean', 'zero'], ['blank']),
    node('Add', ['blank', 'sure'], ['word']),
    node('Concat', ['blank', 'word'], ['both'], { axis: 2 }),
    node('LogSoftmax', ['both'], ['y'], { axis: 2 }),
  ]
  const file = join(folder, 'eager.onnx')
  const constants = [tensor('zero', [1], [0]), tensor('sure', [1], [9])]
  const [inputs, outputs] = [[value('x', ['N', 'T', 80])], [value('y', ['N', 'T', 2])]]
  writeFileSync(file, model({ nodes, constants, inputs, outputs, meta: { model_type: 'tdnn', vocab_size: 2 } }))
  const tokens = join(folder, 'eager-tokens.txt')
  writeFileSync(tokens, '<blk> 0\n▁invented 1\n')
  return () => ({ kind: 'tdnn_ctc', name: 'eager', files: { model: file, tokens } })
}
