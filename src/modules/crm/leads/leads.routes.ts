import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { captureLead } from './capture-lead.service.ts'
import { changeLead } from './change-lead.service.ts'
import { deleteLead, restoreLead } from './delete-lead.service.ts'
import { findLeads } from './find-leads.service.ts'
import { getLead } from './leads.queries.ts'
import { Lead, LeadChanges, LeadParams, LeadQuery, LeadSummary, NewLead } from './leads.schemas.ts'
import { showLead } from './show-leads.service.ts'
import { LeadSource, SourceDescription, SourceParams } from './sources.schemas.ts'
import { describeSource } from './sources.service.ts'

export const leadRoutes =
  (services: Services): Routes =>
  async (app) => {
    const { clock } = services

    app.route({
      method: 'GET',
      url: '/api/leads/',
      config: { scope: 'leads.read' },
      schema: {
        operationId: 'findLeads',
        summary: 'List leads, whom to call next first',
        querystring: LeadQuery,
        response: { 200: pageOf(LeadSummary) },
      },
      handler: (request) => request.inTenant((tx) => findLeads(tx, request.actor, request.query, services)),
    })

    app.route({
      method: 'POST',
      url: '/api/leads/',
      config: { scope: 'leads.write' },
      schema: {
        operationId: 'captureLead',
        summary: 'Capture a lead',
        description:
          'It is scored, given to somebody if the workspace gives leads out, and has a time to be answered by. ' +
          'Give at least one of `email`, `phone`, `last_name` and `company`; an `owner_id` of null leaves it with nobody.',
        body: NewLead,
        response: { 201: Lead },
      },
      handler: (request) =>
        request.inTenant(async (tx) =>
          showLead(tx, await captureLead(tx, request.actor, request.body, services), clock.now()),
        ),
    })

    app.route({
      method: 'PUT',
      url: '/api/leads/sources/:source_key',
      config: { scope: 'leads.write', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'describeSource',
        summary: 'Say what a source of leads is, and what it cost',
        description: 'A source that is not known yet is added. The list of spending replaces the former one.',
        params: SourceParams,
        body: SourceDescription,
        response: { 200: LeadSource },
      },
      handler: (request) => request.inTenant((tx) => describeSource(tx, request.params.source_key, request.body)),
    })

    app.route({
      method: 'GET',
      url: '/api/leads/:lead_id',
      config: { scope: 'leads.read' },
      schema: {
        operationId: 'getLead',
        summary: 'Get one lead',
        params: LeadParams,
        response: { 200: Lead },
      },
      handler: (request) =>
        request.inTenant(async (tx) => showLead(tx, await getLead(tx, request.params.lead_id), clock.now())),
    })

    app.route({
      method: 'PATCH',
      url: '/api/leads/:lead_id',
      config: { scope: 'leads.write' },
      schema: {
        operationId: 'changeLead',
        summary: 'Change a lead',
        description:
          'A lead that goes back to an earlier stage needs a `stage_reason`, one that is given up a `disqualify_reason`.',
        params: LeadParams,
        body: LeadChanges,
        response: { 200: Lead },
      },
      handler: (request) => {
        const change = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant(async (tx) => {
          const lead = await changeLead(tx, request.actor, request.params.lead_id, change, services)
          return showLead(tx, lead, clock.now())
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
        description: 'It can be restored for 30 days.',
        params: LeadParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const deletion = { expectedVersion: expectedVersion(request), now: clock.now() }
        await request.inTenant((tx) => deleteLead(tx, request.actor, request.params.lead_id, deletion))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/leads/:lead_id/restore',
      config: { scope: 'leads.write' },
      schema: {
        operationId: 'restoreLead',
        summary: 'Bring a deleted lead back',
        params: LeadParams,
        response: { 200: Lead },
      },
      handler: (request) =>
        request.inTenant(async (tx) => {
          const lead = await restoreLead(tx, request.actor, request.params.lead_id, clock.now())
          return showLead(tx, lead, clock.now())
        }),
    })
  }
