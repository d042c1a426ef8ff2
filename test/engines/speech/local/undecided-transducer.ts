import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecognizerModel } from '#engines/speech/port.ts'
import { model, node, tensor, value } from '#test/support/onnx-writer.ts'

const zeros = (count: number): number[] => Array.from<number>({ length: count }).fill(0)

/** Writes an icefall transducer that hears "cat" in everything and holds "hat" for nearly as likely. */
export function undecidedTransducer(folder: string): RecognizerModel {
  const write = (name: string, bytes: Buffer | string): string => {
    writeFileSync(join(folder, name), bytes)
    return join(folder, name)
  }
  const encoder = model({
    nodes: [node('Identity', ['x'], ['encoder_out']), node('Identity', ['x_lens'], ['encoder_out_lens'])],
    constants: [],
    inputs: [value('x', ['N', 'T', 80]), value('x_lens', ['N'], 'int64')],
    outputs: [value('encoder_out', ['N', 'T', 80]), value('encoder_out_lens', ['N'], 'int64')],
    meta: { model_type: 'zipformer2' },
  })
  const decoder = model({
    nodes: [node('Cast', ['y'], ['before'], { to: 1 }), node('MatMul', ['before', 'nothing'], ['decoder_out'])],
    constants: [tensor('nothing', [2, 80], zeros(160))],
    inputs: [value('y', ['N', 2], 'int64')],
    outputs: [value('decoder_out', ['N', 80])],
    meta: { vocab_size: 3, context_size: 2 },
  })
  const joiner = model({
    nodes: [
      node('Add', ['encoder_out', 'decoder_out'], ['both']),
      node('MatMul', ['both', 'nothing'], ['flat']),
      node('Add', ['flat', 'likely'], ['logit']),
    ],
    constants: [tensor('nothing', [80, 3], zeros(240)), tensor('likely', [3], [-4, 1, 0.9])],
    inputs: [value('encoder_out', ['N', 80]), value('decoder_out', ['N', 80])],
    outputs: [value('logit', ['N', 3])],
    meta: { joiner_dim: 80 },
  })
  const files = {
    encoder: write('encoder.onnx', encoder),
    decoder: write('decoder.onnx', decoder),
    joiner: write('joiner.onnx', joiner),
    tokens: write('tokens.txt', '<blk> 0\n▁cat 1\n▁hat 2\n'),
  }
  return { kind: 'transducer', name: 'undecided', files }
}
