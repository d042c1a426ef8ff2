import { isDeepStrictEqual } from 'node:util'
import type { SpeakerModels } from '#engines/speech/plan.ts'
import { inPractice } from '../store/in-practice.ts'
import type { OperationRow } from '../store/operations.ts'
import { findPieces, keepPiece } from '../store/pieces.ts'
import type { Database } from '../store/tables.ts'
import type { Part } from './hear.ts'

/** Beside the pieces, which count from 0: what the diarizer knew after some of them. */
const speakersPlace = -1

interface KeptSpeakers {
  /** So many pieces it heard. */
  readonly pieces: number
  readonly state: string
  /** The models that told it; others count voices in other numbers. */
  readonly models: SpeakerModels
}

/** What is already heard of a recording, sealed in the store, so that an end in the middle costs a piece and no more. */
export interface KeptHearing {
  part(index: number): Part | null
  knowsSpeakers(index: number): boolean
  /** Read anew: of a long recording it is megabytes, and it is asked for only where an engine starts. */
  speakers(): Promise<string | null>
  /** Grows with everything that is kept. */
  reached(): number
  keepPart(index: number, part: Part): Promise<void>
  keepSpeakers(pieces: number, state: string): Promise<void>
}

/** What another engine heard, or other models told of the speakers, is not gone on with. */
export async function openKeptHearing(
  db: Database,
  operation: Pick<OperationRow, 'id' | 'practice_id'>,
  isSame: boolean,
  models: SpeakerModels | null,
): Promise<KeptHearing> {
  const pieces = (): Promise<ReadonlyMap<number, string>> =>
    inPractice(db, operation.practice_id, (read) => findPieces(read, operation.id))
  const found = isSame ? await pieces() : new Map<number, string>()
  const parts = new Map<number, Part>()
  for (const [index, answer] of found) if (index !== speakersPlace) parts.set(index, JSON.parse(answer) as Part)
  const before = readSpeakers(found)
  let told = before !== null && isDeepStrictEqual(before.models, models) ? before.pieces : 0
  return {
    part: (index) => parts.get(index) ?? null,
    knowsSpeakers: (index) => index < told,
    speakers: async () => (told === 0 ? null : (readSpeakers(await pieces())?.state ?? null)),
    reached: () => parts.size + told,
    async keepPart(index, part) {
      await keepPiece(db, operation, index, JSON.stringify(part))
      parts.set(index, part)
    },
    async keepSpeakers(heard, state) {
      if (models === null) return
      const kept: KeptSpeakers = { pieces: heard, state, models }
      await keepPiece(db, operation, speakersPlace, JSON.stringify(kept))
      told = heard
    },
  }
}

const readSpeakers = (found: ReadonlyMap<number, string>): KeptSpeakers | null =>
  JSON.parse(found.get(speakersPlace) ?? 'null') as KeptSpeakers | null
