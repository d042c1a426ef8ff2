import { findPieces, keepPiece } from '../store/pieces.ts'
import type { Database } from '../store/tables.ts'
import type { Part } from './hear.ts'

/** Beside the pieces, which count from 0: what the diarizer knew after some of them. */
const speakersPlace = -1

interface KeptSpeakers {
  /** So many pieces it heard. */
  readonly pieces: number
  readonly state: string
}

/** What is already heard of a recording, sealed in the store, so that an end in the middle costs a piece and no more. */
export interface KeptHearing {
  part(index: number): Part | null
  knowsSpeakers(index: number): boolean
  speakers(): string | null
  /** Grows with everything that is kept. */
  reached(): number
  keepPart(index: number, part: Part): Promise<void>
  keepSpeakers(pieces: number, state: string): Promise<void>
}

/** @param isSame false where another engine heard it: that is not gone on with */
export async function openKeptHearing(db: Database, operation: string, isSame: boolean): Promise<KeptHearing> {
  const found = isSame ? await findPieces(db, operation) : new Map<number, string>()
  const parts = new Map<number, Part>()
  for (const [index, answer] of found) if (index !== speakersPlace) parts.set(index, JSON.parse(answer) as Part)
  let speakers = JSON.parse(found.get(speakersPlace) ?? 'null') as KeptSpeakers | null
  return {
    part: (index) => parts.get(index) ?? null,
    knowsSpeakers: (index) => index < (speakers?.pieces ?? 0),
    speakers: () => speakers?.state ?? null,
    reached: () => parts.size + (speakers?.pieces ?? 0),
    async keepPart(index, part) {
      await keepPiece(db, operation, index, JSON.stringify(part))
      parts.set(index, part)
    },
    async keepSpeakers(pieces, state) {
      const kept: KeptSpeakers = { pieces, state }
      await keepPiece(db, operation, speakersPlace, JSON.stringify(kept))
      speakers = kept
    },
  }
}
