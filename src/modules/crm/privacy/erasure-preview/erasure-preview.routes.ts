import type { Routes } from '#platform/http'
import { AcceptedTask } from '#platform/schema'
import { ContactParams } from '../../people/contacts/contacts.schemas.ts'
import { LeadParams } from '../../people/lead-records/leads.schemas.ts'
import { PreviewOptions } from './erasure-preview.schemas.ts'
import { previewContactErasure, previewLeadErasure } from './erasure-preview.service.ts'

const description =
  'Starts a task that counts what an erasure of the person would delete or redact, and changes nothing. `counts` of its result has ' +
  'the number of rows by table, as the result of the erasure. While it runs, changes of records of the person wait; it fails after ' +
  'a minute.'

const access = { roles: ['admin' as const], humanOnly: true as const }

export const erasurePreviewRoutes: Routes = async (app) => {
  app.route({
    method: 'POST',
    url: '/api/leads/:lead_id/erase/preview',
    config: { scope: 'leads.write', ...access },
    schema: {
      operationId: 'previewLeadErasure',
      summary: 'Preview the erasure of a lead',
      description,
      params: LeadParams,
      body: PreviewOptions,
      response: { 202: AcceptedTask },
    },
    handler: (request) => request.inTenant((tx) => previewLeadErasure(tx, request.params.lead_id, request.body)),
  })

  app.route({
    method: 'POST',
    url: '/api/contacts/:contact_id/erase/preview',
    config: { scope: 'contacts.write', ...access },
    schema: {
      operationId: 'previewContactErasure',
      summary: 'Preview the erasure of a contact',
      description,
      params: ContactParams,
      body: PreviewOptions,
      response: { 202: AcceptedTask },
    },
    handler: (request) => request.inTenant((tx) => previewContactErasure(tx, request.params.contact_id, request.body)),
  })
}
