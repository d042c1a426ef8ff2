import type { Handlers } from '#service/access/call.ts'
import type { Services } from '#service/routes/services.ts'
import { analyticsHandlers } from '#service/routes/analytics.ts'
import { apiKeyHandlers } from '#service/routes/api-keys.ts'
import { clientHandlers, consentHandlers, reassignmentHandlers } from '#service/routes/clients.ts'
import { draftHandlers, templateHandlers, analysisHandlers } from '#service/routes/drafts.ts'
import { insuranceHandlers, coverageHandlers, payerHandlers, authorisationHandlers } from '#service/routes/insurance.ts'
import { modelHandlers } from '#service/routes/models.ts'
import { noteHandlers, cosignHandlers } from '#service/routes/notes.ts'
import { operationHandlers, eventHandlers } from '#service/routes/operations.ts'
import { psychotherapyNoteHandlers } from '#service/routes/psychotherapy-notes.ts'
import { retentionHandlers, auditEventHandlers } from '#service/routes/retention.ts'
import { serviceDocumentHandlers } from '#service/routes/service-document.ts'
import { calendarHandlers } from '#service/routes/sessions.ts'
import { transcribeHandlers, transcriptHandlers, uploadHandlers, sentUploadHandlers } from '#service/routes/transcribe.ts'
import { staffHandlers, meHandlers, breakGlassHandlers } from '#service/routes/staff.ts'
import { voiceHandlers } from '#service/routes/voices.ts'

export function handlersFor(services: Services): Handlers {
  return {
    ...serviceDocumentHandlers(services),
    ...clientHandlers(services),
    ...staffHandlers(services),
    ...breakGlassHandlers(services),
    ...reassignmentHandlers(),
    ...calendarHandlers(services),
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
