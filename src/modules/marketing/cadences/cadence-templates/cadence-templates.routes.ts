import type { Routes } from '#platform/http'
import type { RouteLimit } from '#platform/limits'
import { CadenceParams } from '../cadence-records/cadence-params.schemas.ts'
import {
  CadencePreview,
  PreviewRequest,
  SentTestEmail,
  TemplateVariables,
  TestEmailRequest,
} from './cadence-templates.schemas.ts'
import { listCadenceVariables } from './list-variables.service.ts'
import { previewCadenceEmail } from './preview-cadence.service.ts'
import { sendTestEmail } from './send-test-email.service.ts'

const testLimit: RouteLimit = { name: 'cadence_test', limit: 20, windowSeconds: 3_600, per: 'user' }

export const cadenceTemplateRoutes: Routes = async (app) => {
  app.route({
    method: 'GET',
    url: '/api/cadences/variables',
    config: { scope: 'cadences.read' },
    schema: {
      operationId: 'listCadenceVariables',
      summary: 'List variables of email templates',
      description: 'Variables that subjects and texts of steps can use, including custom fields of leads and contacts.',
      response: { 200: TemplateVariables },
    },
    handler: (request) => request.inTenant((tx) => listCadenceVariables(tx)),
  })

  app.route({
    method: 'POST',
    url: '/api/cadences/:cadence_id/preview',
    config: { scope: 'cadences.write', scopes: ['leads.read', 'contacts.read'] },
    schema: {
      operationId: 'previewCadenceEmail',
      summary: 'Preview an email of a cadence',
      description:
        'Requires either `lead_id` or `contact_id`, and either `step_id` or a template that is not saved yet. The caller is the sender. ' +
        'Nothing is sent.',
      params: CadenceParams,
      body: PreviewRequest,
      response: { 200: CadencePreview },
    },
    handler: (request) =>
      request.inTenant((tx) => previewCadenceEmail(tx, request.actor, request.params.cadence_id, request.body)),
  })

  app.route({
    method: 'POST',
    url: '/api/cadences/:cadence_id/test',
    config: { scope: 'cadences.write', scopes: ['leads.read', 'contacts.read'], limits: [testLimit] },
    schema: {
      operationId: 'sendTestEmail',
      summary: 'Send a test email to yourself',
      description:
        'Requires `step_id` and either `lead_id` or `contact_id`, whose values are used. The email goes to the address of the caller ' +
        'and its subject begins with `[Test]`. Its links are not tracked, it is in no statistics and does not count for daily limits. ' +
        'At most 20 per user and hour.',
      params: CadenceParams,
      body: TestEmailRequest,
      response: { 200: SentTestEmail },
    },
    handler: (request) =>
      request.inTenant((tx) => sendTestEmail(tx, request.actor, request.params.cadence_id, request.body)),
  })
}
