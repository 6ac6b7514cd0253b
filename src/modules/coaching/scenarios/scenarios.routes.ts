import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { scenarioUsePoint } from './scenario-row.ts'
import { NewScenario, Scenario, ScenarioChanges, ScenarioParams, ScenarioQuery } from './scenarios.schemas.ts'
import { createScenario, deleteScenario, getScenario, listScenarios, updateScenario } from './scenarios.service.ts'

export const scenarioRoutes =
  (services: Services): Routes =>
  async (app) => {
    const assertUnused = services.registry.extensionsOf(scenarioUsePoint)

    app.route({
      method: 'GET',
      url: '/api/enablement/coaching/scenarios/',
      config: { scope: 'coaching.read' },
      schema: {
        operationId: 'listScenarios',
        summary: 'List scenarios',
        description: 'The newest scenarios first; published ones unless `status` is set.',
        querystring: ScenarioQuery,
        response: { 200: pageOf(Scenario) },
      },
      handler: (request) => request.inTenant((tx) => listScenarios(tx, request.actor, request.query)),
    })

    app.route({
      method: 'POST',
      url: '/api/enablement/coaching/scenarios/',
      config: { scope: 'coaching.write', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'createScenario',
        summary: 'Create a scenario',
        description:
          'Requires `title`, `type` and `rubric`. The scenario is a draft until `status` is set to `published`. Keys of criteria are unique; `config` has the fields of their kind.',
        body: NewScenario,
        response: { 201: Scenario },
      },
      handler: (request) => request.inTenant((tx) => createScenario(tx, request.actor, request.body)),
    })

    app.route({
      method: 'GET',
      url: '/api/enablement/coaching/scenarios/:scenario_id',
      config: { scope: 'coaching.read' },
      schema: {
        operationId: 'getScenario',
        summary: 'Get a scenario',
        description:
          'The context of the buyer and the config of the criteria are shown to managers and admins only. Drafts can be read by their owner, managers and admins.',
        params: ScenarioParams,
        response: { 200: Scenario },
      },
      handler: (request) => request.inTenant((tx) => getScenario(tx, request.actor, request.params.scenario_id)),
    })

    app.route({
      method: 'PATCH',
      url: '/api/enablement/coaching/scenarios/:scenario_id',
      config: { scope: 'coaching.write', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'updateScenario',
        summary: 'Update a scenario',
        description:
          '`status` changes between `draft` and `published`, from both to `archived`, and from `archived` to `draft`. A published scenario must have an active persona. A changed rubric gets a new `rubric_version`; sessions keep theirs.',
        params: ScenarioParams,
        body: ScenarioChanges,
        response: { 200: Scenario },
      },
      handler: (request) => {
        const input = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant((tx) => updateScenario(tx, request.actor, request.params.scenario_id, input))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/enablement/coaching/scenarios/:scenario_id',
      config: { scope: 'coaching.delete', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'deleteScenario',
        summary: 'Delete a scenario',
        description: 'If a published learning path uses the scenario, the response is 409 `in_use`. Its sessions stay.',
        params: ScenarioParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const options = { assertUnused, expectedVersion: expectedVersion(request), now: services.clock.now() }
        await request.inTenant((tx) => deleteScenario(tx, request.params.scenario_id, options))
      },
    })
  }
