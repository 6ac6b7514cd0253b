import { Type } from 'typebox'
import { expectedVersion, type Routes, setAcceptedStatus } from '#platform/http'
import type { Services } from '#platform/module'
import { AcceptedTask, pageOf } from '#platform/schema'
import { CampaignParams } from '../campaigns/campaigns.schemas.ts'
import { addCampaignMembers } from './add-campaign-members.service.ts'
import { bulkUpdateCampaignMembers } from './bulk-status.jobs.ts'
import {
  listCampaignContacts,
  listCampaignLeads,
  listCampaignMembers,
  listContactCampaigns,
  listLeadCampaigns,
} from './list-members.service.ts'
import {
  AddedMembers,
  CampaignMember,
  ChangedMembers,
  ContactCampaignParams,
  LeadCampaign,
  LeadCampaignParams,
  MemberChanges,
  MemberParams,
  MemberQuery,
  MemberRemoval,
  MemberStatusChange,
  MembershipQuery,
  NewMembers,
  RemovedMembers,
} from './members.schemas.ts'
import { removeCampaignMembers } from './remove-members.jobs.ts'
import { removeCampaignMember, updateCampaignMember } from './update-member.service.ts'

const order = 'Ordered by `first_touched_at`, latest first. Deleted persons are left out.'

export const memberRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/campaigns/:campaign_id/members',
      config: { scope: 'campaigns.read', scopes: ['leads.read', 'contacts.read'] },
      schema: {
        operationId: 'listCampaignMembers',
        summary: 'List campaign members',
        description: order,
        params: CampaignParams,
        querystring: MemberQuery,
        response: { 200: pageOf(CampaignMember) },
      },
      handler: (request) =>
        request.inTenant((tx) => listCampaignMembers(tx, request.params.campaign_id, request.query)),
    })

    app.route({
      method: 'GET',
      url: '/api/campaigns/:campaign_id/leads',
      config: { scope: 'campaigns.read', scopes: ['leads.read'] },
      schema: {
        operationId: 'listCampaignLeads',
        summary: 'List leads of a campaign',
        description: `Members who are not contacts yet. ${order}`,
        params: CampaignParams,
        querystring: MemberQuery,
        response: { 200: pageOf(CampaignMember) },
      },
      handler: (request) => request.inTenant((tx) => listCampaignLeads(tx, request.params.campaign_id, request.query)),
    })

    app.route({
      method: 'GET',
      url: '/api/campaigns/:campaign_id/contacts',
      config: { scope: 'campaigns.read', scopes: ['contacts.read'] },
      schema: {
        operationId: 'listCampaignContacts',
        summary: 'List contacts of a campaign',
        description: `Members who are contacts, including converted leads. ${order}`,
        params: CampaignParams,
        querystring: MemberQuery,
        response: { 200: pageOf(CampaignMember) },
      },
      handler: (request) =>
        request.inTenant((tx) => listCampaignContacts(tx, request.params.campaign_id, request.query)),
    })

    app.route({
      method: 'GET',
      url: '/api/leads/:lead_id/campaigns',
      config: { scope: 'leads.read', scopes: ['campaigns.read'] },
      schema: {
        operationId: 'listLeadCampaigns',
        summary: 'List campaigns of a lead',
        description: 'Ordered by `first_touched_at`, latest first.',
        params: LeadCampaignParams,
        querystring: MembershipQuery,
        response: { 200: pageOf(LeadCampaign) },
      },
      handler: (request) => request.inTenant((tx) => listLeadCampaigns(tx, request.params.lead_id, request.query)),
    })

    app.route({
      method: 'GET',
      url: '/api/contacts/:contact_id/campaigns',
      config: { scope: 'contacts.read', scopes: ['campaigns.read'] },
      schema: {
        operationId: 'listContactCampaigns',
        summary: 'List campaigns of a contact',
        description: 'Also those that the contact joined as a lead. Ordered by `first_touched_at`, latest first.',
        params: ContactCampaignParams,
        querystring: MembershipQuery,
        response: { 200: pageOf(LeadCampaign) },
      },
      handler: (request) =>
        request.inTenant((tx) => listContactCampaigns(tx, request.params.contact_id, request.query)),
    })

    app.route({
      method: 'POST',
      url: '/api/campaigns/:campaign_id/members',
      config: { scope: 'campaigns.write', scopes: ['leads.read', 'contacts.read'] },
      schema: {
        operationId: 'addCampaignMembers',
        summary: 'Add members to a campaign',
        description:
          'Requires `lead_ids` or `contact_ids`, at most 10,000 in total. A lead and its contact are one member. ' +
          'Up to 200 are added before the response, more by a task with the same result. ' +
          'The default status is the first one of the campaign.',
        params: CampaignParams,
        body: NewMembers,
        response: { 200: AddedMembers, 202: AcceptedTask },
      },
      handler: (request, reply) =>
        request.inTenant(async (tx) =>
          setAcceptedStatus(
            reply,
            await addCampaignMembers(tx, request.actor, request.params.campaign_id, request.body, services),
          ),
        ),
    })

    app.route({
      method: 'POST',
      url: '/api/campaigns/:campaign_id/members/bulk-status',
      config: { scope: 'campaigns.write' },
      schema: {
        operationId: 'bulkUpdateCampaignMembers',
        summary: 'Bulk-update campaign members',
        description: 'Sets the status of up to 10,000 members: of up to 200 before the response, of more by a task.',
        params: CampaignParams,
        body: MemberStatusChange,
        response: { 200: ChangedMembers, 202: AcceptedTask },
      },
      handler: (request, reply) =>
        request.inTenant(async (tx) =>
          setAcceptedStatus(
            reply,
            await bulkUpdateCampaignMembers(tx, request.actor, request.params.campaign_id, request.body, services),
          ),
        ),
    })

    app.route({
      method: 'POST',
      url: '/api/campaigns/:campaign_id/members/bulk-remove',
      config: { scope: 'campaigns.write', scopes: ['campaigns.delete'] },
      schema: {
        operationId: 'removeCampaignMembers',
        summary: 'Remove campaign members',
        description:
          'Requires either `member_ids`, at most 10,000, or `status`. Up to 200 members are removed before the response, more by a task ' +
          'with the same result. Allowed for managers and the owner of the campaign. The persons are kept. Shares of closed deals do ' +
          'not change.',
        params: CampaignParams,
        body: MemberRemoval,
        response: { 200: RemovedMembers, 202: AcceptedTask },
      },
      handler: (request, reply) =>
        request.inTenant(async (tx) =>
          setAcceptedStatus(
            reply,
            await removeCampaignMembers(tx, request.actor, request.params.campaign_id, request.body),
          ),
        ),
    })

    app.route({
      method: 'PATCH',
      url: '/api/campaigns/:campaign_id/members/:member_id',
      config: { scope: 'campaigns.write', scopes: ['leads.read', 'contacts.read'] },
      schema: {
        operationId: 'updateCampaignMember',
        summary: 'Update a campaign member',
        description: 'A response is never taken back: `responded` stays true with any later status.',
        params: MemberParams,
        body: MemberChanges,
        response: { 200: CampaignMember },
      },
      handler: (request) => {
        const { campaign_id: campaignId, member_id: memberId } = request.params
        const update = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant((tx) =>
          updateCampaignMember(tx, request.actor, { campaignId, memberId }, update, services),
        )
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/campaigns/:campaign_id/members/:member_id',
      config: { scope: 'campaigns.delete' },
      schema: {
        operationId: 'removeCampaignMember',
        summary: 'Remove a campaign member',
        description:
          'Allowed for managers and the owner of the campaign. The person is kept. Shares of closed deals do not change.',
        params: MemberParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const { campaign_id: campaignId, member_id: memberId } = request.params
        const options = { expectedVersion: expectedVersion(request) }
        await request.inTenant((tx) => removeCampaignMember(tx, request.actor, { campaignId, memberId }, options))
      },
    })
  }
