import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { NewPersona, Persona, PersonaChanges, PersonaFilter, PersonaParams } from './personas.schemas.ts'
import {
  type AssertPersonaUnused,
  createPersona,
  deletePersona,
  listPersonas,
  updatePersona,
} from './personas.service.ts'

export const personaRoutes =
  (services: Services, { assertUnused }: { assertUnused: AssertPersonaUnused }): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/enablement/coaching/personas',
      config: { scope: 'coaching.read' },
      schema: {
        operationId: 'listPersonas',
        summary: 'List personas',
        description:
          'Ordered by name. Inactive personas are left out unless `include_inactive` is `true`. Facts, objections and the background are shown to managers and admins only.',
        querystring: PersonaFilter,
        response: { 200: pageOf(Persona) },
      },
      handler: (request) => request.inTenant((tx) => listPersonas(tx, request.actor, request.query)),
    })

    app.route({
      method: 'POST',
      url: '/api/enablement/coaching/personas',
      config: { scope: 'coaching.write', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'createPersona',
        summary: 'Create a persona',
        description:
          'Requires `name`, `job_title` and `style`. Names are unique, ignoring upper and lower case; keys are unique within the objections and within the facts.',
        body: NewPersona,
        response: { 201: Persona },
      },
      handler: (request) => request.inTenant((tx) => createPersona(tx, request.actor, request.body)),
    })

    app.route({
      method: 'PATCH',
      url: '/api/enablement/coaching/personas/:persona_id',
      config: { scope: 'coaching.write', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'updatePersona',
        summary: 'Update a persona',
        description:
          'Objections and facts are replaced as a whole; traits and voice keep what the request leaves out. Sessions keep the persona as it was when they started.',
        params: PersonaParams,
        body: PersonaChanges,
        response: { 200: Persona },
      },
      handler: (request) => {
        const input = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant((tx) => updatePersona(tx, request.params.persona_id, input))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/enablement/coaching/personas/:persona_id',
      config: { scope: 'coaching.delete', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'deletePersona',
        summary: 'Delete a persona',
        description:
          'If scenarios that are not archived use the persona, the response is 409 `in_use` and lists them in `references`. Sessions with the persona stay.',
        params: PersonaParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const options = { assertUnused, expectedVersion: expectedVersion(request), now: services.clock.now() }
        await request.inTenant((tx) => deletePersona(tx, request.params.persona_id, options))
      },
    })
  }
