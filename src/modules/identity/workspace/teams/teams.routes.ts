import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { teamMembersRoutes } from './team-members.routes.ts'
import { getTeam, listTeams } from './teams.queries.ts'
import { NewTeam, Team, TeamChanges, TeamFilter, TeamParams, TeamSummary } from './teams.schemas.ts'
import { createTeam, deleteTeam, type FindTeamDependents, updateTeam } from './teams.service.ts'

export const teamsRoutes =
  (_: Services, { dependents = [] }: { dependents?: readonly FindTeamDependents[] } = {}): Routes =>
  async (app) => {
    await app.register(teamMembersRoutes)

    app.route({
      method: 'GET',
      url: '/api/teams/',
      config: { scope: 'teams.read' },
      schema: {
        operationId: 'listTeams',
        summary: 'List teams',
        description: 'Ordered by name.',
        querystring: TeamFilter,
        response: { 200: pageOf(TeamSummary) },
      },
      handler: (request) => request.inTenant((tx) => listTeams(tx, request.query)),
    })

    app.route({
      method: 'POST',
      url: '/api/teams/',
      config: { scope: 'teams.write' },
      schema: {
        operationId: 'createTeam',
        summary: 'Create a team',
        description:
          'A workspace can have 1,000 teams, nested up to five levels deep. Names are unique, ignoring upper and lower case.',
        body: NewTeam,
        response: { 201: Team },
      },
      handler: (request) => request.inTenant((tx) => createTeam(tx, request.actor, request.body)),
    })

    app.route({
      method: 'GET',
      url: '/api/teams/:team_id',
      config: { scope: 'teams.read' },
      schema: {
        operationId: 'getTeam',
        summary: 'Get a team',
        description: 'Includes the first 200 members.',
        params: TeamParams,
        response: { 200: Team },
      },
      handler: (request) => request.inTenant((tx) => getTeam(tx, request.params.team_id)),
    })

    app.route({
      method: 'PATCH',
      url: '/api/teams/:team_id',
      config: { scope: 'teams.write' },
      schema: {
        operationId: 'updateTeam',
        summary: 'Update a team',
        description: 'Set `parent_team_id` to move the team below another one.',
        params: TeamParams,
        body: TeamChanges,
        response: { 200: Team },
      },
      handler: (request) => {
        const input = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant((tx) => updateTeam(tx, request.params.team_id, input))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/teams/:team_id',
      config: { scope: 'teams.delete' },
      schema: {
        operationId: 'deleteTeam',
        summary: 'Delete a team',
        description:
          'Fails with 409 while sub-teams or other records depend on the team. Its members stay in the workspace.',
        params: TeamParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const input = { expectedVersion: expectedVersion(request), dependents }
        await request.inTenant((tx) => deleteTeam(tx, request.params.team_id, input))
      },
    })
  }
