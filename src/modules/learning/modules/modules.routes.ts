import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { Module, ModuleChanges, ModuleParams, NewModule, PathModulesParams } from './modules.schemas.ts'
import { createModule, deleteModule, updateModule } from './modules.service.ts'

export const learningModuleRoutes =
  ({ clock }: Pick<Services, 'clock'>): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/enablement/learning/paths/:path_id/modules',
      config: { scope: 'learning.write' },
      schema: {
        operationId: 'createModule',
        summary: 'Add a module to a learning path',
        description:
          'For the owner of the path, managers and admins. Requires `title`, `kind` and what the kind needs: `content` a `content_item_id` or a `body`, `video` a `content_item_id`, `quiz` its settings and questions, `assignment` its instructions, `roleplay` a `scenario_id`, `pitch` a `prompt_id`. Open enrollments of a published path get the module unless `apply_to` is `new`.',
        params: PathModulesParams,
        body: NewModule,
        response: { 201: Module },
      },
      handler: (request) =>
        request.inTenant((tx) => createModule(tx, request.actor, request.params.path_id, request.body)),
    })

    app.route({
      method: 'PATCH',
      url: '/api/enablement/learning/paths/:path_id/modules/:module_id',
      config: { scope: 'learning.write' },
      schema: {
        operationId: 'updateModule',
        summary: 'Update a module',
        description:
          'For the owner of the path, managers and admins. `quiz.questions` replaces all questions; attempts keep theirs. `kind` changes only in a draft without enrollments.',
        params: ModuleParams,
        body: ModuleChanges,
        response: { 200: Module },
      },
      handler: (request) => {
        const { path_id: pathId, module_id: moduleId } = request.params
        const input = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant((tx) => updateModule(tx, request.actor, { pathId, moduleId }, input))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/enablement/learning/paths/:path_id/modules/:module_id',
      config: { scope: 'learning.delete' },
      schema: {
        operationId: 'deleteModule',
        summary: 'Remove a module',
        description:
          'For the owner of the path, managers and admins. Open enrollments no longer need the module and may be completed by that. The last required module of a published path cannot be removed.',
        params: ModuleParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const { path_id: pathId, module_id: moduleId } = request.params
        const input = { expectedVersion: expectedVersion(request), now: clock.now() }
        await request.inTenant((tx) => deleteModule(tx, request.actor, { pathId, moduleId }, input))
      },
    })
  }
