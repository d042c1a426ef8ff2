import { byId, pageOf, pageQuerySchema } from '../model/common.ts'
import { ownTemplateDraftSchema, ownTemplateSchema } from '../model/template.ts'
import { everyone, reach, route } from './route.ts'

const writers = reach({ owner: 'all', clinician: 'all', supervisor: 'all' })

/** Forms of notes that people made for themselves, beside the field's standard ones. */
export const templateRoutes = {
  listTemplates: route({
    method: 'GET',
    path: '/templates',
    summary: 'List the practice’s own forms of notes',
    published: false,
    counted: false,
    reach: everyone,
    query: pageQuerySchema,
    answers: { 200: pageOf(ownTemplateSchema) },
    failures: [],
  }),
  getTemplate: route({
    method: 'GET',
    path: '/templates/{id}',
    summary: 'One form of note',
    published: false,
    counted: false,
    reach: everyone,
    params: byId('template'),
    answers: { 200: ownTemplateSchema },
    failures: ['not-found'],
  }),
  putTemplate: route({
    method: 'PUT',
    path: '/templates/{id}',
    summary: 'Store a form of note, new or changed',
    published: false,
    counted: false,
    reach: writers,
    params: byId('template'),
    body: ownTemplateDraftSchema,
    answers: { 200: ownTemplateSchema, 201: ownTemplateSchema },
    failures: ['not-found', 'stale-version', 'version-required'],
    conditional: true,
  }),
} as const
