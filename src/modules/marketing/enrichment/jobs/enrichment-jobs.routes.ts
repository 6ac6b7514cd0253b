import { getLeadDetails } from '#modules/crm'
import { type Routes, setAcceptedStatus } from '#platform/http'
import type { Services } from '#platform/module'
import { readScopes, writeScopes } from '../enrichable.ts'
import { enrichRecord } from './enrich-record.service.ts'
import {
  EnrichmentQueue,
  EnrichmentRequest,
  EnrichmentResult,
  EnrichmentStatus,
  LeadEnrichment,
  LeadParams,
  QueuedEnrichment,
  QueueQuery,
  RecordParams,
} from './enrichment-jobs.schemas.ts'
import { getEnrichmentStatus, listEnrichmentQueue } from './get-enrichment-status.service.ts'

export const enrichmentJobRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/leads/:lead_id/enrich',
      config: { scope: 'leads.write', scopes: ['enrichment.write'] },
      schema: {
        operationId: 'enrichLead',
        summary: 'Enrich a lead',
        description:
          'Fills empty fields from its email address and phone number. External providers, if enabled, are asked by a task; then the ' +
          'status is `queued`. Values of users are not overwritten but become suggestions, unless the settings say otherwise.',
        params: LeadParams,
        response: { 200: LeadEnrichment },
      },
      handler: (request) =>
        request.inTenant(async (tx) => {
          const ref = { type: 'lead' as const, id: request.params.lead_id }
          const result = await enrichRecord(tx, request.actor, ref, {}, services)
          return { ...result, lead: await getLeadDetails(tx, ref.id, services.clock.now()) }
        }),
    })

    app.route({
      method: 'POST',
      url: '/api/enrichment/enrich/:entity_type/:entity_id',
      config: { scope: 'enrichment.write', scopeByParam: { name: 'entity_type', scopes: writeScopes } },
      schema: {
        operationId: 'enrichRecord',
        summary: 'Enrich a record',
        description:
          'Fills empty fields from email address, domain and phone number. If external providers are enabled and fields are still missing, ' +
          'the response is 202 with a task. While a job of the record is queued or running, the same job is returned.',
        params: RecordParams,
        querystring: EnrichmentRequest,
        response: { 200: EnrichmentResult, 202: QueuedEnrichment },
      },
      handler: (request, reply) => {
        const { entity_type: type, entity_id: id } = request.params
        return request.inTenant(async (tx) =>
          setAcceptedStatus(reply, await enrichRecord(tx, request.actor, { type, id }, request.query, services)),
        )
      },
    })

    app.route({
      method: 'GET',
      url: '/api/enrichment/queue',
      config: { scope: 'enrichment.read' },
      schema: {
        operationId: 'listEnrichmentQueue',
        summary: 'List enrichment jobs',
        description: 'Newest first, with the number of jobs by status.',
        querystring: QueueQuery,
        response: { 200: EnrichmentQueue },
      },
      handler: (request) => request.inTenant((tx) => listEnrichmentQueue(tx, request.query)),
    })

    app.route({
      method: 'GET',
      url: '/api/enrichment/status/:entity_type/:entity_id',
      config: { scope: 'enrichment.read', scopeByParam: { name: 'entity_type', scopes: readScopes } },
      schema: {
        operationId: 'getEnrichmentStatus',
        summary: 'Get the enrichment of a record',
        description: 'The last job, the source of each field and the open suggestions.',
        params: RecordParams,
        response: { 200: EnrichmentStatus },
      },
      handler: (request) => {
        const { entity_type: type, entity_id: id } = request.params
        return request.inTenant((tx) => getEnrichmentStatus(tx, { type, id }))
      },
    })
  }
