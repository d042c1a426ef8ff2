import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { decodeFileHeader, encodeFileHeader, FILE_HEADER_BYTES } from '#core/recordings/format.ts'
import { format, newRecordingFile, openAppend, playable, recorded, recordOf, scan, scratchFolder } from './recording-kit.ts'

const RECORDS = 12
const runs = { numRuns: process.env['AFTERWORD_FAULTS'] === 'full' ? 2000 : 150 }
const all = Array.from({ length: RECORDS }, (_, sequence) => sequence)

/** The records that `offset` does not lie in. */
function survivors(places: readonly { offset: number; end: number }[], from: number, to: number): number[] {
  return all.filter((sequence) => places[sequence]!.end <= from || places[sequence]!.offset >= to)
}

describe('damage', () => {
  const scratch = recorded(RECORDS, scratchFolder(afterAll))
  const whole = readFileSync(scratch.path)
  const places = scan(scratch)

  test('a flipped bit costs at most the record it lies in', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: whole.length * 8 - 1 }), (bit) => {
        const bytes = Buffer.from(whole)
        bytes[bit >> 3]! ^= 1 << (bit & 7)
        expect(playable(scratch, bytes)).toEqual(survivors(places, bit >> 3, (bit >> 3) + 1))
      }),
      runs,
    )
  })

  test('a file cut off anywhere keeps every whole record', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: whole.length }), (length) => {
        expect(playable(scratch, whole.subarray(0, length))).toEqual(survivors(places, length, whole.length))
      }),
      runs,
    )
  })

  test('garbage written over the middle costs the records it touches and no other', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: FILE_HEADER_BYTES, max: whole.length - 1 }),
        fc.uint8Array({ minLength: 1, maxLength: 3000 }),
        (from, garbage) => {
          const bytes = Buffer.from(whole)
          bytes.set(garbage.subarray(0, bytes.length - from), from)
          const touched = Math.min(bytes.length, from + garbage.length)
          // Random bytes may happen to be the ones that stood there.
          expect(playable(scratch, bytes)).toEqual(expect.arrayContaining(survivors(places, from, touched)))
        },
      ),
      runs,
    )
  })

  test('bytes put in or taken out in the middle cost the record there and no other', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: FILE_HEADER_BYTES, max: whole.length - 1 }),
        fc.uint8Array({ maxLength: 300 }),
        fc.integer({ min: 0, max: 300 }),
        (at, added, taken) => {
          const bytes = Buffer.concat([whole.subarray(0, at), added, whole.subarray(at + taken)])
          const found = playable(scratch, bytes)
          expect(found).toEqual(expect.arrayContaining(survivors(places, at, Math.max(at + taken, at + 1))))
        },
      ),
      runs,
    )
  })
})

describe('authenticity', () => {
  test('a record of another recording is refused, even under the same key', () => {
    const first = recorded(2)
    const second = { ...newRecordingFile(), key: first.key }
    const file = openAppend(second)
    file.append(recordOf(0))
    file.close()
    const [, stolen] = scan(first)
    const bytes = Buffer.concat([readFileSync(second.path), readFileSync(first.path).subarray(stolen!.offset, stolen!.end)])
    expect(playable(second, bytes)).toEqual([0])
  })

  test('a whole file under the name of another recording plays nothing', () => {
    const first = recorded(3)
    const second = recorded(3)
    expect(playable({ ...second, path: first.path })).toEqual([])
  })

  test('a record cannot be moved to another place of its own recording', () => {
    const scratch = recorded(3)
    const places = scan(scratch)
    const bytes = Buffer.from(readFileSync(scratch.path))
    // All records are equally long here: the clear header says another sequence than the sealed one.
    const first = bytes.subarray(places[0]!.offset + 22, places[0]!.end)
    first.copy(bytes, places[1]!.offset + 22)
    expect(playable(scratch, bytes)).toEqual([0, 2])
  })
})

describe('file header', () => {
  test('comes back as it was written', () => {
    const header = {
      recording_id: newId(),
      session_id: newId(),
      created_ms: 1_795_528_800_000,
      format,
      wrapped_key: randomBytes(60),
    }
    expect(decodeFileHeader(encodeFileHeader(header))).toEqual(header)
  })

  test('no flipped bit goes unseen', () => {
    const header = encodeFileHeader({
      recording_id: newId(),
      session_id: newId(),
      created_ms: 1,
      format,
      wrapped_key: randomBytes(60),
    })
    for (let bit = 0; bit < header.length * 8; bit += 1) {
      const bytes = Buffer.from(header)
      bytes[bit >> 3]! ^= 1 << (bit & 7)
      expect(decodeFileHeader(bytes)).toBeNull()
    }
  })

  test('a damaged file header costs no sound', () => {
    const scratch = recorded(3)
    const bytes = readFileSync(scratch.path)
    writeFileSync(scratch.path, bytes.fill(0xff, 0, FILE_HEADER_BYTES))
    expect(playable(scratch)).toEqual([0, 1, 2])
  })
})
