/** Just enough of ONNX (protobuf) to write small models by hand. */
type Field = Buffer | readonly Field[]

export const tensor = (name: string, dims: readonly number[], data: readonly number[], type: 'float' | 'int64' = 'float') => {
  const raw = type === 'float' ? Float32Array.from(data) : BigInt64Array.from(data, BigInt)
  const bytes = Buffer.from(raw.buffer)
  return join([dims.map((dim) => number(1, dim)), number(2, elementType[type]), text(8, name), sized(9, bytes)])
}

export const node = (
  op: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: Record<string, number | number[]> = {},
) =>
  join([
    inputs.map((input) => text(1, input)),
    outputs.map((output) => text(2, output)),
    text(3, `${outputs[0]}_${op}`),
    text(4, op),
    Object.entries(attributes).map(([name, value]) => sized(5, attribute(name, value))),
  ])

/** A dimension that is a word is as long as it comes. */
export const value = (name: string, dims: readonly (string | number)[], type: keyof typeof elementType = 'float') => {
  const shape = dims.map((dim) => sized(1, typeof dim === 'string' ? text(2, dim) : number(1, dim)))
  return join([text(1, name), sized(2, sized(1, join([number(1, elementType[type]), sized(2, join(shape))])))])
}

export function model(parts: {
  readonly nodes: readonly Buffer[]
  readonly constants: readonly Buffer[]
  readonly inputs: readonly Buffer[]
  readonly outputs: readonly Buffer[]
  readonly meta: Readonly<Record<string, string | number>>
}): Buffer {
  const graph = join([
    parts.nodes.map((part) => sized(1, part)),
    text(2, 'graph'),
    parts.constants.map((part) => sized(5, part)),
    parts.inputs.map((part) => sized(11, part)),
    parts.outputs.map((part) => sized(12, part)),
  ])
  const meta = Object.entries(parts.meta).map(([key, entry]) => sized(14, join([text(1, key), text(2, String(entry))])))
  return join([number(1, 8), text(2, 'by hand'), sized(7, graph), sized(8, number(2, 13)), meta])
}

const elementType = { float: 1, int64: 7 } as const

const attribute = (name: string, given: number | number[]): Buffer =>
  Array.isArray(given)
    ? join([text(1, name), given.map((entry) => number(8, entry)), number(20, 7)])
    : join([text(1, name), number(3, given), number(20, 2)])

function varint(given: number): Buffer {
  const bytes: number[] = []
  let left = BigInt.asUintN(64, BigInt(given))
  do {
    const low = Number(left & 127n)
    left >>= 7n
    bytes.push(left === 0n ? low : low | 128)
  } while (left !== 0n)
  return Buffer.from(bytes)
}
const number = (field: number, given: number): Buffer => join([varint(field << 3), varint(given)])
const sized = (field: number, bytes: Buffer): Buffer => join([varint((field << 3) | 2), varint(bytes.length), bytes])
const text = (field: number, given: string): Buffer => sized(field, Buffer.from(given))
const join = (fields: Field): Buffer => (Buffer.isBuffer(fields) ? fields : Buffer.concat(fields.map(join)))
