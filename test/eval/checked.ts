import { checkDraft } from '#engines/language/check/check-draft.ts'
import type { LanguagePort } from '#engines/language/port.ts'

/** A writer with the check of its drafts behind it, as the service has it: what a therapist gets to see. */
export function checked(writer: LanguagePort): LanguagePort {
  return {
    ...writer,
    draft: async (request, signal, onProgress) => checkDraft(await writer.draft(request, signal, onProgress), request),
  }
}
