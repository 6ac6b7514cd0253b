import type { Routes } from '#platform/http'
import { pageOf } from '#platform/schema'
import { listProductQualifiedLeads } from './check-qualifications.service.ts'
import { Pql, PqlQuery } from './qualifications.schemas.ts'

export const qualificationRoutes: Routes = async (app) => {
  app.route({
    method: 'GET',
    url: '/api/tenant/plg/pqls',
    config: { scope: 'plg.read' },
    schema: {
      operationId: 'listProductQualifiedLeads',
      summary: 'List product-qualified leads',
      description: 'People and accounts that meet or met a rule, the newest first, with what was measured.',
      querystring: PqlQuery,
      response: { 200: pageOf(Pql) },
    },
    handler: (request) => request.inTenant((tx) => listProductQualifiedLeads(tx, request.query)),
  })
}
