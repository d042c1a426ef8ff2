import { z } from 'zod'

/**
 * Handshake between the preview's window and server. The window sends a nonce, the server answers with a nonce and a proof, and
 * the window sends a proof. A proof is HMAC-SHA-256 (base64url) with a key from the page.
 */
export const helloSchema = z.object({ window_nonce: z.string().min(16).max(100) })
export const serverProofSchema = z.object({ server_nonce: z.string().min(16).max(100), server_proof: z.string() })
export const windowProofSchema = z.object({ window_proof: z.string() })

export interface Nonces {
  readonly window_nonce: string
  readonly server_nonce: string
}

/** The text names its signer, so that the proof of one side cannot be replayed as the proof of the other. */
export function signedText(signer: 'server' | 'window', { window_nonce, server_nonce }: Nonces): string {
  return `afterword-preview ${signer} ${window_nonce} ${server_nonce}`
}

export const windowKeyMeta = 'afterword-window-key'

/** Replaces each Uint8Array in `message` with `{"$bytes": length}` and returns the arrays in order. */
export function detachBytes(message: unknown): { message: unknown; parts: Uint8Array[] } {
  const parts: Uint8Array[] = []
  const walk = (value: unknown): unknown => {
    if (value instanceof Uint8Array) {
      parts.push(value)
      return { $bytes: value.length }
    }
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, walk(member)]))
  }
  return { message: walk(message), parts }
}

export function attachBytes(message: unknown, bytes: Uint8Array): unknown {
  let offset = 0
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    const length = (value as { $bytes?: unknown }).$bytes
    if (typeof length === 'number') {
      if (!Number.isInteger(length) || length < 0 || offset + length > bytes.length) throw new RangeError('frame is too short')
      offset += length
      return bytes.slice(offset - length, offset)
    }
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, walk(member)]))
  }
  return walk(message)
}
