import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deriveKey, newKey, open, seal, SEAL_OVERHEAD } from '#base/aead.ts'

const bytes = fc.uint8Array({ maxLength: 300 })

test('what was sealed opens with the same key and place, and nothing else does', () => {
  fc.assert(
    fc.property(bytes, bytes, fc.nat(), fc.integer({ min: 0, max: 7 }), (plaintext, place, at, bit) => {
      const key = newKey()
      const sealed = seal(key, plaintext, place)
      expect(sealed.length).toBe(plaintext.length + SEAL_OVERHEAD)
      expect(open(key, sealed, place)).toEqual(Buffer.from(plaintext))
      expect(open(newKey(), sealed, place)).toBeNull()
      expect(open(key, sealed, Buffer.concat([place, Buffer.from([0])]))).toBeNull()
      expect(open(key, sealed.subarray(0, at % sealed.length), place)).toBeNull()
      sealed[at % sealed.length]! ^= 1 << bit
      expect(open(key, sealed, place)).toBeNull()
    }),
  )
})

test('keys for different purposes are different, for the same purpose the same', () => {
  const key = newKey()
  expect(deriveKey(key, 'one')).toEqual(deriveKey(key, 'one'))
  expect(deriveKey(key, 'one')).not.toEqual(deriveKey(key, 'two'))
  expect(deriveKey(key, 'one')).toHaveLength(32)
})

test('derivation is RFC 5869 with an empty salt', () => {
  // Test case 3 of its appendix, the first 32 bytes of 42.
  expect(deriveKey(Buffer.alloc(22, 0x0b), '').toString('hex')).toBe(
    '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d',
  )
})
