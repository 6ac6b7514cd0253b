import { Type } from 'typebox'
import type { Routes } from '#platform/http'
import { pageOf } from '#platform/schema'
import { addMember, changeRoleInTeam, listMembers, removeMember } from './team-members.service.ts'
import { AddedMember, MemberFilter, MemberParams, MemberRoleQuery, TeamMember, TeamParams } from './teams.schemas.ts'

export const teamMembersRoutes: Routes = async (app) => {
  app.route({
    method: 'GET',
    url: '/api/teams/:team_id/members',
    config: { scope: 'teams.read' },
    schema: {
      operationId: 'listMembers',
      summary: 'List the members of a team: whoever leads, then by name',
      params: TeamParams,
      querystring: MemberFilter,
      response: { 200: pageOf(TeamMember) },
    },
    handler: (request) => request.inTenant((tx) => listMembers(tx, request.params.team_id, request.query)),
  })

  app.route({
    method: 'POST',
    url: '/api/teams/:team_id/members',
    config: { scope: 'teams.write' },
    schema: {
      operationId: 'addMember',
      summary: 'Add somebody to a team',
      params: TeamParams,
      body: AddedMember,
      response: { 201: TeamMember },
    },
    handler: (request) => request.inTenant((tx) => addMember(tx, request.actor, request.params.team_id, request.body)),
  })

  app.route({
    method: 'PATCH',
    url: '/api/teams/:team_id/members/:member_id',
    config: { scope: 'teams.write' },
    schema: {
      operationId: 'changeRoleInTeam',
      summary: 'Make a member lead the team, or no longer',
      params: MemberParams,
      querystring: MemberRoleQuery,
      response: { 200: TeamMember },
    },
    handler: (request) => {
      const { team_id, member_id } = request.params
      return request.inTenant((tx) => changeRoleInTeam(tx, team_id, member_id, request.query.role))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/api/teams/:team_id/members/:member_id',
    config: { scope: 'teams.delete' },
    schema: {
      operationId: 'removeMember',
      summary: 'Take somebody out of a team',
      params: MemberParams,
      response: { 204: Type.Null() },
    },
    handler: async (request) => {
      const { team_id, member_id } = request.params
      await request.inTenant((tx) => removeMember(tx, team_id, member_id))
    },
  })
}
