import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { Lead, LeadChanges, LeadParams, LeadQuery, ListedLead, NewLead } from '../lead-records/leads.schemas.ts'
import { createLead } from './create-leads.service.ts'
import { deleteLead } from './delete-lead.service.ts'
import { getLeadDetails, toLeadDetails } from './lead-details.service.ts'
import { listLeads } from './list-leads.service.ts'
import { restoreLead } from './restore-leads.service.ts'
import { updateLead } from './update-lead.service.ts'

export const leadRoutes =
  (services: Services): Routes =>
  async (app) => {
    const { clock } = services

    app.route({
      method: 'GET',
      url: '/api/leads/',
      config: { scope: 'leads.read' },
      schema: {
        operationId: 'listLeads',
        summary: 'List leads',
        description: 'Sorted by priority unless `sort` is set.',
        querystring: LeadQuery,
        response: { 200: pageOf(ListedLead) },
      },
      handler: (request) => request.inTenant((tx) => listLeads(tx, request.actor, request.query, services)),
    })

    app.route({
      method: 'POST',
      url: '/api/leads/',
      config: { scope: 'leads.write' },
      schema: {
        operationId: 'createLead',
        summary: 'Create a lead',
        description:
          "Scores the lead, assigns it by the workspace's assignment settings and sets its SLA deadline. " +
          'Requires at least one of `email`, `phone`, `last_name` and `company`. ' +
          'Set `owner_id` to null to leave the lead unassigned.',
        body: NewLead,
        response: { 201: Lead },
      },
      handler: (request) =>
        request.inTenant(async (tx) =>
          toLeadDetails(tx, await createLead(tx, request.actor, request.body, services), clock.now()),
        ),
    })

    app.route({
      method: 'GET',
      url: '/api/leads/:lead_id',
      config: { scope: 'leads.read' },
      schema: {
        operationId: 'getLead',
        summary: 'Get a lead',
        params: LeadParams,
        response: { 200: Lead },
      },
      handler: (request) => request.inTenant((tx) => getLeadDetails(tx, request.params.lead_id, clock.now())),
    })

    app.route({
      method: 'PATCH',
      url: '/api/leads/:lead_id',
      config: { scope: 'leads.write' },
      schema: {
        operationId: 'updateLead',
        summary: 'Update a lead',
        description:
          'Moving a lead to an earlier stage requires `stage_reason`; disqualifying it requires `disqualify_reason`.',
        params: LeadParams,
        body: LeadChanges,
        response: { 200: Lead },
      },
      handler: (request) => {
        const update = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant(async (tx) => {
          const lead = await updateLead(tx, request.actor, request.params.lead_id, update, services)
          return toLeadDetails(tx, lead, clock.now())
        })
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/leads/:lead_id',
      config: { scope: 'leads.delete' },
      schema: {
        operationId: 'deleteLead',
        summary: 'Delete a lead',
        description: 'The lead can be restored for 30 days.',
        params: LeadParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const options = { expectedVersion: expectedVersion(request), now: clock.now() }
        await request.inTenant((tx) => deleteLead(tx, request.actor, request.params.lead_id, options))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/leads/:lead_id/restore',
      config: { scope: 'leads.write' },
      schema: {
        operationId: 'restoreLead',
        summary: 'Restore a deleted lead',
        description: 'Allowed for managers and the user who deleted the lead, for 30 days.',
        params: LeadParams,
        response: { 200: Lead },
      },
      handler: (request) =>
        request.inTenant(async (tx) => {
          const lead = await restoreLead(tx, request.actor, request.params.lead_id, services)
          return toLeadDetails(tx, lead, clock.now())
        }),
    })
  }
