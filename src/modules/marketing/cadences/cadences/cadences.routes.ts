import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { CadenceParams } from '../cadence-records/cadence-params.schemas.ts'
import { getCadence, listCadences } from './cadence-details.service.ts'
import { CadenceStats } from './cadence-stats.schemas.ts'
import { getCadenceStats } from './cadence-stats.service.ts'
import { Cadence, CadenceChanges, CadenceQuery, CadenceSteps, ListedCadence, NewCadence } from './cadences.schemas.ts'
import { createCadence } from './create-cadence.service.ts'
import { replaceCadenceSteps } from './replace-steps.service.ts'
import { deleteCadence, updateCadence } from './update-cadence.service.ts'

export const cadenceRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/cadences/',
      config: { scope: 'cadences.read' },
      schema: {
        operationId: 'listCadences',
        summary: 'List cadences',
        description: 'Newest first.',
        querystring: CadenceQuery,
        response: { 200: pageOf(ListedCadence) },
      },
      handler: (request) => request.inTenant((tx) => listCadences(tx, request.actor, request.query)),
    })

    app.route({
      method: 'POST',
      url: '/api/cadences/',
      config: { scope: 'cadences.write' },
      schema: {
        operationId: 'createCadence',
        summary: 'Create a cadence',
        description:
          'Requires `name`, which must be unique among cadences that are not archived. The cadence is a draft. By default steps run from ' +
          'Monday to Friday between 09:00 and 17:00, and a reply, a meeting or a bounce ends an enrollment.',
        body: NewCadence,
        response: { 201: Cadence },
      },
      handler: (request) => request.inTenant((tx) => createCadence(tx, request.actor, request.body, services)),
    })

    app.route({
      method: 'GET',
      url: '/api/cadences/:cadence_id',
      config: { scope: 'cadences.read' },
      schema: {
        operationId: 'getCadence',
        summary: 'Get a cadence',
        params: CadenceParams,
        response: { 200: Cadence },
      },
      handler: (request) => request.inTenant((tx) => getCadence(tx, request.params.cadence_id)),
    })

    app.route({
      method: 'PATCH',
      url: '/api/cadences/:cadence_id',
      config: { scope: 'cadences.write' },
      schema: {
        operationId: 'updateCadence',
        summary: 'Update a cadence',
        description:
          'A cadence becomes active if it has a step, its templates are valid, and the settings have a sender address and a postal ' +
          'address. A paused cadence sends nothing; when it becomes active again, the current step of each enrollment is planned again. ' +
          'Archiving ends all enrollments and cannot be undone; only managers and the owner can do it.',
        params: CadenceParams,
        body: CadenceChanges,
        response: { 200: Cadence },
      },
      handler: (request) => {
        const update = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant((tx) => updateCadence(tx, request.actor, request.params.cadence_id, update, services))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/cadences/:cadence_id',
      config: { scope: 'cadences.delete' },
      schema: {
        operationId: 'deleteCadence',
        summary: 'Delete a cadence',
        description: 'Only drafts; archive others instead. Members delete their own cadences.',
        params: CadenceParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const options = { expectedVersion: expectedVersion(request) }
        await request.inTenant((tx) => deleteCadence(tx, request.actor, request.params.cadence_id, options))
      },
    })

    app.route({
      method: 'PUT',
      url: '/api/cadences/:cadence_id/steps',
      config: { scope: 'cadences.write' },
      schema: {
        operationId: 'replaceCadenceSteps',
        summary: 'Replace the steps of a cadence',
        description:
          'Requires all steps in their order. Steps with an `id` are kept with their statistics. Enrollments that wait for a removed step ' +
          'continue with the next one. A changed text applies to all emails that are not being sent yet.',
        params: CadenceParams,
        body: CadenceSteps,
        response: { 200: Cadence },
      },
      handler: (request) => {
        const update = { steps: request.body.steps, expectedVersion: expectedVersion(request) }
        return request.inTenant((tx) => replaceCadenceSteps(tx, request.params.cadence_id, update, services))
      },
    })

    app.route({
      method: 'GET',
      url: '/api/cadences/:cadence_id/stats',
      config: { scope: 'cadences.read' },
      schema: {
        operationId: 'getCadenceStats',
        summary: 'Get statistics of a cadence',
        description: 'Totals, and the numbers of each step. Opened emails are null unless the cadence tracks them.',
        params: CadenceParams,
        response: { 200: CadenceStats },
      },
      handler: (request) => request.inTenant((tx) => getCadenceStats(tx, request.params.cadence_id)),
    })
  }
