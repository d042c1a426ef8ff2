import type { Handlers, Services } from './handler.ts'
import { analysisHandlers } from './routes/analyses.ts'
import { analyticsHandlers } from './routes/analytics.ts'
import { apiKeyHandlers } from './routes/api-keys.ts'
import { auditEventHandlers } from './routes/audit-events.ts'
import { authorisationHandlers } from './routes/authorisations.ts'
import { breakGlassHandlers } from './routes/break-glass.ts'
import { clientHandlers } from './routes/clients.ts'
import { consentHandlers } from './routes/consents.ts'
import { cosignHandlers } from './routes/cosign.ts'
import { coverageHandlers } from './routes/coverage.ts'
import { draftHandlers } from './routes/drafts.ts'
import { insuranceHandlers } from './routes/insurance.ts'
import { eventHandlers } from './routes/events.ts'
import { meHandlers } from './routes/me.ts'
import { modelHandlers } from './routes/models.ts'
import { noteHandlers } from './routes/notes.ts'
import { operationHandlers } from './routes/operations.ts'
import { payerHandlers } from './routes/payers.ts'
import { psychotherapyNoteHandlers } from './routes/psychotherapy-notes.ts'
import { reassignmentHandlers } from './routes/reassignments.ts'
import { retentionHandlers } from './routes/retention.ts'
import { serviceDocumentHandlers } from './routes/service-document.ts'
import { followingHandlers } from './routes/following.ts'
import { availabilityHandlers, roomHandlers } from './routes/rooms.ts'
import { scheduleHandlers } from './routes/schedule.ts'
import { sessionHandlers } from './routes/sessions.ts'
import { transcribeHandlers } from './routes/transcribe.ts'
import { transcriptHandlers } from './routes/transcripts.ts'
import { sentUploadHandlers } from './routes/sent-uploads.ts'
import { uploadHandlers } from './routes/uploads.ts'
import { staffHandlers } from './routes/staff.ts'
import { templateHandlers } from './routes/templates.ts'
import { voiceHandlers } from './routes/voices.ts'

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
