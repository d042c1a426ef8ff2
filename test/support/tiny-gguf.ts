import { writeFileSync } from 'node:fs'

/**
 * A language model in GGUF, version 3, of a few hundred kilobytes: llama architecture, one small layer of random weights,
 * and a vocabulary of the printable letters. What it says is nonsense, save that it likes to close what was opened: bound to a
 * form, it gives the shortest answer that fits.
 */
export interface TinyModel {
  readonly context?: number
  /** Prefers letters over closing, so that it goes on until it is stopped. */
  readonly talkative?: boolean
}

const width = 64
const hidden = 128
const heads = 4
const types = { u32: 4, f32: 6, text: 8, list: 9, i32: 5 } as const

export function writeTinyGguf(file: string, { context = 4096, talkative = false }: TinyModel = {}): void {
  const { pieces, scores, kinds } = vocabulary()
  const fields: Buffer[] = [
    field('general.architecture', text('llama')),
    field('general.name', text('tiny')),
    field('llama.context_length', u32(context)),
    field('llama.embedding_length', u32(width)),
    field('llama.block_count', u32(1)),
    field('llama.feed_forward_length', u32(hidden)),
    field('llama.attention.head_count', u32(heads)),
    field('llama.attention.head_count_kv', u32(heads)),
    field('llama.attention.layer_norm_rms_epsilon', f32(1e-5)),
    field('llama.rope.dimension_count', u32(width / heads)),
    field('llama.vocab_size', u32(pieces.length)),
    field('tokenizer.ggml.model', text('llama')),
    field('tokenizer.ggml.tokens', list(types.text, pieces.map(string))),
    field('tokenizer.ggml.scores', list(types.f32, scores.map(float))),
    field('tokenizer.ggml.token_type', list(types.i32, kinds.map(int))),
    field('tokenizer.ggml.bos_token_id', u32(1)),
    field('tokenizer.ggml.eos_token_id', u32(2)),
    field('tokenizer.ggml.unknown_token_id', u32(0)),
  ]
  const random = randomNumbers(20_261_121)
  const tensors = tensorsOf(pieces, random, talkative)
  const infos: Buffer[] = []
  const data: Buffer[] = []
  let offset = 0
  for (const { name, shape, values } of tensors) {
    infos.push(Buffer.concat([string(name), int(shape.length), ...shape.map(long), int(0), long(offset)]))
    const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
    data.push(padded(bytes))
    offset += padded(bytes).length
  }
  const head = Buffer.concat([Buffer.from('GGUF'), int(3), long(tensors.length), long(fields.length), ...fields, ...infos])
  writeFileSync(file, Buffer.concat([padded(head), ...data]))
}

interface Tensor {
  readonly name: string
  readonly shape: readonly number[]
  readonly values: Float32Array
}

function tensorsOf(pieces: readonly string[], random: () => number, talkative: boolean): Tensor[] {
  const noise = (count: number, size: number): Float32Array => Float32Array.from({ length: count }, () => (random() - 0.5) * size)
  const ones = (count: number): Float32Array => new Float32Array(count).fill(1)
  const tensor = (name: string, shape: readonly number[], values: Float32Array): Tensor => ({ name, shape, values })
  const square = (name: string) => tensor(name, [width, width], noise(width * width, 0.02))
  // The first number of every token is large and the same, so that the first column of the output is a bias.
  const embedding = noise(width * pieces.length, 0.2)
  const output = noise(width * pieces.length, 0.02)
  for (const [index, piece] of pieces.entries()) {
    embedding[index * width] = 4
    output[index * width] = likingFor(piece, talkative)
  }
  return [
    tensor('token_embd.weight', [width, pieces.length], embedding),
    tensor('output_norm.weight', [width], ones(width)),
    tensor('output.weight', [width, pieces.length], output),
    tensor('blk.0.attn_norm.weight', [width], ones(width)),
    square('blk.0.attn_q.weight'),
    square('blk.0.attn_k.weight'),
    square('blk.0.attn_v.weight'),
    square('blk.0.attn_output.weight'),
    tensor('blk.0.ffn_norm.weight', [width], ones(width)),
    tensor('blk.0.ffn_gate.weight', [width, hidden], noise(width * hidden, 0.02)),
    tensor('blk.0.ffn_up.weight', [width, hidden], noise(width * hidden, 0.02)),
    tensor('blk.0.ffn_down.weight', [hidden, width], noise(width * hidden, 0.02)),
  ]
}

function likingFor(piece: string, talkative: boolean): number {
  if (talkative) return piece === '{' ? 4 : /^\p{L}$/u.test(piece) ? 2 : /^["\]\s▁]|^<|^\\/.test(piece) ? -4 : 0
  if (piece === ']' || piece === '}') return 4
  return piece === '"' ? 3 : /^\s|^▁|^<0x/.test(piece) ? -2 : 0
}

/** SentencePiece: marks, the 256 bytes, then letters; a byte stands for whatever is no letter of it. */
function vocabulary(): { pieces: string[]; scores: number[]; kinds: number[] } {
  const marks = ['<unk>', '<s>', '</s>']
  const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`)
  const letters = ['▁', ...Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index))]
  return {
    pieces: [...marks, ...bytes, ...letters],
    scores: [...marks, ...bytes, ...letters].map((_, index) => (index < 259 ? 0 : -index)),
    kinds: [2, 3, 3, ...bytes.map(() => 6), ...letters.map(() => 1)],
  }
}

/** mulberry32: the same model every time. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Value {
  readonly type: number
  readonly bytes: Buffer
}

const field = (name: string, { type, bytes }: Value): Buffer => Buffer.concat([string(name), int(type), bytes])
const u32 = (value: number): Value => ({ type: types.u32, bytes: int(value) })
const f32 = (value: number): Value => ({ type: types.f32, bytes: float(value) })
const text = (value: string): Value => ({ type: types.text, bytes: string(value) })
const list = (of: number, items: readonly Buffer[]): Value => ({
  type: types.list,
  bytes: Buffer.concat([int(of), long(items.length), ...items]),
})

function int(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}

function long(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function float(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return bytes
}

function string(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([long(bytes.length), bytes])
}

/** Tensors begin at multiples of 32 bytes. */
function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((32 - (bytes.length % 32)) % 32)])
}
