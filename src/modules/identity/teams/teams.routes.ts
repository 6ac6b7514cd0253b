import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { teamMembersRoutes } from './team-members.routes.ts'
import { getTeam, listTeams } from './teams.queries.ts'
import { NewTeam, Team, TeamChanges, TeamFilter, TeamParams, TeamSummary } from './teams.schemas.ts'
import { changeTeam, dissolveTeam, type FindDependents, formTeam } from './teams.service.ts'

/** `dependents` is what other modules would lose with a team. */
export const teamsRoutes =
  (_: Services, { dependents = [] }: { dependents?: readonly FindDependents[] } = {}): Routes =>
  async (app) => {
    await app.register(teamMembersRoutes)

    app.route({
      method: 'GET',
      url: '/api/teams/',
      config: { scope: 'teams.read' },
      schema: {
        operationId: 'listTeams',
        summary: 'List teams, by name',
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
        operationId: 'formTeam',
        summary: 'Form a team',
        body: NewTeam,
        response: { 201: Team },
      },
      handler: (request) => request.inTenant((tx) => formTeam(tx, request.actor, request.body)),
    })

    app.route({
      method: 'GET',
      url: '/api/teams/:team_id',
      config: { scope: 'teams.read' },
      schema: {
        operationId: 'getTeam',
        summary: 'Get one team with its members',
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
        operationId: 'changeTeam',
        summary: 'Change a team, or move it below another one',
        params: TeamParams,
        body: TeamChanges,
        response: { 200: Team },
      },
      handler: (request) => {
        const change = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant((tx) => changeTeam(tx, request.params.team_id, change))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/teams/:team_id',
      config: { scope: 'teams.delete' },
      schema: {
        operationId: 'dissolveTeam',
        summary: 'Dissolve a team nothing depends on',
        params: TeamParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const dissolution = { expectedVersion: expectedVersion(request), dependents }
        await request.inTenant((tx) => dissolveTeam(tx, request.params.team_id, dissolution))
      },
    })
  }
