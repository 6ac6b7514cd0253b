import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { promptUsePoint } from './prompt-row.ts'
import { NewPrompt, Prompt, PromptChanges, PromptParams, PromptQuery } from './prompts.schemas.ts'
import { createPitchPrompt, deletePitchPrompt, listPitchPrompts, updatePitchPrompt } from './prompts.service.ts'

export const promptRoutes =
  (services: Services): Routes =>
  async (app) => {
    const assertUnused = services.registry.extensionsOf(promptUsePoint)

    app.route({
      method: 'GET',
      url: '/api/enablement/pitch/prompts/',
      config: { scope: 'pitch.read' },
      schema: {
        operationId: 'listPitchPrompts',
        summary: 'List pitch prompts',
        description:
          'The newest prompts first, with takes, best score and due date of the caller. The config of the criteria is shown to the owner, managers and admins only.',
        querystring: PromptQuery,
        response: { 200: pageOf(Prompt) },
      },
      handler: (request) => request.inTenant((tx) => listPitchPrompts(tx, request.actor, request.query)),
    })

    app.route({
      method: 'POST',
      url: '/api/enablement/pitch/prompts/',
      config: { scope: 'pitch.write', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'createPitchPrompt',
        summary: 'Create a pitch prompt',
        description:
          'Requires `title` and `criteria` of the kinds `keywords`, `next_step`, `filler`, `pace`, `duration` and `judgement`. The prompt is a draft until `status` is set to `active`. `assign` adds assignments for users and for the current members of teams; they are notified when the prompt is active.',
        body: NewPrompt,
        response: { 201: Prompt },
      },
      handler: (request) =>
        request.inTenant((tx) => createPitchPrompt(tx, request.actor, request.body, { now: services.clock.now() })),
    })

    app.route({
      method: 'PATCH',
      url: '/api/enablement/pitch/prompts/:prompt_id',
      config: { scope: 'pitch.write' },
      schema: {
        operationId: 'updatePitchPrompt',
        summary: 'Update a pitch prompt',
        description:
          'For the owner, managers and admins. `status` changes from `draft` to `active`, `archived` and `draft` again. Changed criteria get a new `criteria_version`; submissions keep theirs. `assign` adds assignments, and a given `due_on` replaces that of existing ones.',
        params: PromptParams,
        body: PromptChanges,
        response: { 200: Prompt },
      },
      handler: (request) => {
        const input = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant((tx) => updatePitchPrompt(tx, request.actor, request.params.prompt_id, input))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/enablement/pitch/prompts/:prompt_id',
      config: { scope: 'pitch.delete', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'deletePitchPrompt',
        summary: 'Delete a pitch prompt',
        description:
          'If a published learning path uses the prompt, the response is 409 `in_use`. Its submissions stay.',
        params: PromptParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const options = { assertUnused, expectedVersion: expectedVersion(request), now: services.clock.now() }
        await request.inTenant((tx) => deletePitchPrompt(tx, request.params.prompt_id, options))
      },
    })
  }
