import { z } from 'zod'

/**
 * The first three frames on the preview's socket: the window sends its nonce, the server answers with a nonce and a proof, and
 * the window verifies the proof and sends its own. No call or event is sent earlier. Both proofs are HMAC-SHA-256 (base64url)
 * under a key that the server writes into the page.
 */
export const helloSchema = z.object({ window_nonce: z.string().min(16).max(100) })
export const serverProofSchema = z.object({ server_nonce: z.string().min(16).max(100), server_proof: z.string() })
export const windowProofSchema = z.object({ window_proof: z.string() })

export interface Nonces {
  readonly window_nonce: string
  readonly server_nonce: string
}

/** The text that a proof signs. It names the signer, so that one side's proof can't be replayed as the other's. */
export function signedText(signer: 'server' | 'window', { window_nonce, server_nonce }: Nonces): string {
  return `afterword-preview ${signer} ${window_nonce} ${server_nonce}`
}

export const windowKeyMeta = 'afterword-window-key'
