import { auditEventSchema, auditExportQuerySchema, auditQuerySchema } from '../model/audit-event.ts'
import { pageOf } from '../model/common.ts'
import { reach, route } from './route.ts'

export const auditRoutes = {
  listAuditEvents: route({
    method: 'GET',
    path: '/audit-events',
    summary: 'List the audit log, newest first; one’s own calls where the role reaches no further',
    published: false,
    counted: false,
    reach: reach({ owner: 'all', clinician: 'own', supervisor: 'own', auditor: 'all' }),
    query: auditQuerySchema,
    answers: { 200: pageOf(auditEventSchema) },
    failures: [],
  }),
  exportAuditEvents: route({
    method: 'GET',
    path: '/audit-events/export',
    summary: 'The audit log as one file, oldest first: JSON lines or CSV',
    published: false,
    counted: false,
    reach: reach({ auditor: 'all' }),
    query: auditExportQuerySchema,
    stream: 'out',
    media: ['application/x-ndjson', 'text/csv'],
    answers: { 200: null },
    failures: [],
  }),
} as const
