import { z } from 'zod'

/**
 * The first three frames of the preview's socket. The window sends its nonce, the server answers with its own nonce and
 * a proof, the window checks the proof and sends one in return. No call and no event is sent before that. Both proofs are
 * HMAC-SHA-256 (base64url) under the window key, which comes with the page.
 */
export const helloSchema = z.object({ window_nonce: z.string().min(16).max(100) })
export const serverProofSchema = z.object({ server_nonce: z.string().min(16).max(100), server_proof: z.string() })
export const windowProofSchema = z.object({ window_proof: z.string() })

export interface Nonces {
  readonly window_nonce: string
  readonly server_nonce: string
}

/** The name in front keeps one side's proof from being used as the other's. */
export function signedText(signer: 'server' | 'window', { window_nonce, server_nonce }: Nonces): string {
  return `afterword-preview ${signer} ${window_nonce} ${server_nonce}`
}

/** Holds the window key in the page. */
export const windowKeyMeta = 'afterword-window-key'
