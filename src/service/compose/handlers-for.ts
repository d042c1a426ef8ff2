import type { Handlers } from '#service/access/call.ts'
import type { Services } from '#service/routes/services.ts'
import { analysisHandlers } from '#service/routes/analyses.ts'
import { analyticsHandlers } from '#service/routes/analytics.ts'
import { apiKeyHandlers } from '#service/routes/api-keys.ts'
import { auditEventHandlers } from '#service/routes/audit-events.ts'
import { authorisationHandlers } from '#service/routes/authorisations.ts'
import { breakGlassHandlers } from '#service/routes/break-glass.ts'
import { clientHandlers } from '#service/routes/clients.ts'
import { consentHandlers } from '#service/routes/consents.ts'
import { cosignHandlers } from '#service/routes/cosign.ts'
import { coverageHandlers } from '#service/routes/coverage.ts'
import { draftHandlers } from '#service/routes/drafts.ts'
import { insuranceHandlers } from '#service/routes/insurance.ts'
import { eventHandlers } from '#service/routes/events.ts'
import { meHandlers } from '#service/routes/me.ts'
import { modelHandlers } from '#service/routes/models.ts'
import { noteHandlers } from '#service/routes/notes.ts'
import { operationHandlers } from '#service/routes/operations.ts'
import { payerHandlers } from '#service/routes/payers.ts'
import { psychotherapyNoteHandlers } from '#service/routes/psychotherapy-notes.ts'
import { reassignmentHandlers } from '#service/routes/reassignments.ts'
import { retentionHandlers } from '#service/routes/retention.ts'
import { serviceDocumentHandlers } from '#service/routes/service-document.ts'
import { followingHandlers } from '#service/routes/following.ts'
import { availabilityHandlers, roomHandlers } from '#service/routes/rooms.ts'
import { scheduleHandlers } from '#service/routes/schedule.ts'
import { sessionHandlers } from '#service/routes/sessions.ts'
import { transcribeHandlers } from '#service/routes/transcribe.ts'
import { transcriptHandlers } from '#service/routes/transcripts.ts'
import { sentUploadHandlers } from '#service/routes/sent-uploads.ts'
import { uploadHandlers } from '#service/routes/uploads.ts'
import { staffHandlers } from '#service/routes/staff.ts'
import { templateHandlers } from '#service/routes/templates.ts'
import { voiceHandlers } from '#service/routes/voices.ts'

/** Every operation by what carries it out. */
export function handlersFor(services: Services): Handlers {
  return {
    ...serviceDocumentHandlers(services),
    ...clientHandlers(services),
    ...staffHandlers(services),
    ...breakGlassHandlers(services),
    ...reassignmentHandlers(),
    ...sessionHandlers(services),
    ...scheduleHandlers(services),
    ...followingHandlers(services),
    ...roomHandlers(),
    ...availabilityHandlers(),
    ...consentHandlers(services),
    ...uploadHandlers(services),
    ...sentUploadHandlers(services),
    ...transcribeHandlers(services),
    ...transcriptHandlers(),
    ...draftHandlers(services),
    ...noteHandlers(),
    ...analysisHandlers(services),
    ...modelHandlers(services),
    ...templateHandlers(),
    ...voiceHandlers(services),
    ...meHandlers(services),
    ...apiKeyHandlers(services),
    ...auditEventHandlers(services),
    ...operationHandlers(services),
    ...eventHandlers(services),
    ...psychotherapyNoteHandlers(services),
    ...cosignHandlers(),
    ...retentionHandlers(services),
    ...insuranceHandlers(services),
    ...coverageHandlers(),
    ...authorisationHandlers(services),
    ...payerHandlers(),
    ...analyticsHandlers(services),
  }
}
