import { createHash } from 'node:crypto'

export interface Sounds {
  /** The same, and what of it is sound is listened to. */
  serve(request: Request): Promise<Response>
  /** Fingerprints of all that stood there after any part was taken. */
  readonly arrived: ReadonlySet<string>
}

/** Between whoever sends sound and the service that takes it. */
export function listenTo(serve: Sounds['serve']): Sounds {
  const parts = new Map<string, Uint8Array>()
  const arrived = new Set<string>()
  return {
    arrived,
    async serve(request) {
      const { method, url } = request
      if (method !== 'PATCH' || !url.includes('/uploads/')) return serve(request)
      const part = new Uint8Array(await request.clone().arrayBuffer())
      const response = await serve(request)
      const offset = Number(request.headers.get('upload-offset'))
      if (response.status !== 204) return response
      const known = parts.get(url) ?? new Uint8Array()
      const whole = new Uint8Array(Math.max(known.length, offset + part.length))
      whole.set(known)
      whole.set(part, offset)
      parts.set(url, whole)
      arrived.add(
        createHash('sha256')
          .update(whole.subarray(0, Number(response.headers.get('upload-offset'))))
          .digest('hex'),
      )
      return response
    },
  }
}
