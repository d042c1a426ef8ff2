export type Vector = Float32Array | Float64Array

export function dot(left: Vector, right: Vector): number {
  let sum = 0
  for (let index = 0; index < left.length; index++) sum += left[index]! * right[index]!
  return sum
}

/** Length one, so that the cosine of two is their product; null for a vector of nothing. */
export function unit(vector: Vector): Float32Array | null {
  const length = Math.sqrt(dot(vector, vector))
  if (!(length > 0) || !Number.isFinite(length)) return null
  return Float32Array.from(vector, (value) => value / length)
}

export function addTimes(sum: Float64Array, vector: Vector, weight: number): void {
  for (let index = 0; index < sum.length; index++) sum[index]! += vector[index]! * weight
}

/** One byte for each number: a voice is told as well from it, and a long session stays small. */
export function toBytes(vector: Vector): Int8Array {
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  return Int8Array.from(vector, (value) => Math.round((value / (largest || 1)) * 127))
}

export const fromBytes = (bytes: Int8Array): Float32Array | null => unit(Float32Array.from(bytes))
