import { Type } from 'typebox'
import type { Routes } from '#platform/http'
import { pageOf } from '#platform/schema'
import { addTeamMember, listTeamMembers, removeTeamMember, updateTeamMember } from './team-members.service.ts'
import { MemberFilter, MemberParams, MemberRoleQuery, NewTeamMember, TeamMember, TeamParams } from './teams.schemas.ts'

export const teamMembersRoutes: Routes = async (app) => {
  app.route({
    method: 'GET',
    url: '/api/teams/:team_id/members',
    config: { scope: 'teams.read' },
    schema: {
      operationId: 'listTeamMembers',
      summary: 'List team members',
      description: 'Leads first, then by name.',
      params: TeamParams,
      querystring: MemberFilter,
      response: { 200: pageOf(TeamMember) },
    },
    handler: (request) => request.inTenant((tx) => listTeamMembers(tx, request.params.team_id, request.query)),
  })

  app.route({
    method: 'POST',
    url: '/api/teams/:team_id/members',
    config: { scope: 'teams.write' },
    schema: {
      operationId: 'addTeamMember',
      summary: 'Add a member to a team',
      params: TeamParams,
      body: NewTeamMember,
      response: { 201: TeamMember },
    },
    handler: (request) =>
      request.inTenant((tx) => addTeamMember(tx, request.actor, request.params.team_id, request.body)),
  })

  app.route({
    method: 'PATCH',
    url: '/api/teams/:team_id/members/:member_id',
    config: { scope: 'teams.write' },
    schema: {
      operationId: 'updateTeamMember',
      summary: 'Update the role of a team member',
      description: '`member_id` is the id of the membership or of the user.',
      params: MemberParams,
      querystring: MemberRoleQuery,
      response: { 200: TeamMember },
    },
    handler: (request) => {
      const { team_id, member_id } = request.params
      return request.inTenant((tx) => updateTeamMember(tx, team_id, member_id, request.query.role))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/api/teams/:team_id/members/:member_id',
    config: { scope: 'teams.delete' },
    schema: {
      operationId: 'removeTeamMember',
      summary: 'Remove a member from a team',
      description: '`member_id` is the id of the membership or of the user.',
      params: MemberParams,
      response: { 204: Type.Null() },
    },
    handler: async (request) => {
      const { team_id, member_id } = request.params
      await request.inTenant((tx) => removeTeamMember(tx, team_id, member_id))
    },
  })
}
