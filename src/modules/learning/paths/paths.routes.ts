import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { NewPath, Path, PathChanges, PathDetails, PathParams, PathQuery } from './paths.schemas.ts'
import {
  createLearningPath,
  deleteLearningPath,
  getLearningPath,
  listLearningPaths,
  updateLearningPath,
} from './paths.service.ts'

export const learningPathRoutes =
  ({ clock }: Pick<Services, 'clock'>): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/enablement/learning/paths/',
      config: { scope: 'learning.read' },
      schema: {
        operationId: 'listLearningPaths',
        summary: 'List learning paths',
        description: 'The newest first, with the latest enrollment of the caller.',
        querystring: PathQuery,
        response: { 200: pageOf(Path) },
      },
      handler: (request) => request.inTenant((tx) => listLearningPaths(tx, request.actor, request.query)),
    })

    app.route({
      method: 'POST',
      url: '/api/enablement/learning/paths/',
      config: { scope: 'learning.write', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'createLearningPath',
        summary: 'Create a learning path',
        description:
          'Requires `title` and `type`. The path is a draft until `status` is set to `published`, which needs a required module.',
        body: NewPath,
        response: { 201: PathDetails },
      },
      handler: (request) =>
        request.inTenant((tx) => createLearningPath(tx, request.actor, request.body, { now: clock.now() })),
    })

    app.route({
      method: 'GET',
      url: '/api/enablement/learning/paths/:path_id',
      config: { scope: 'learning.read' },
      schema: {
        operationId: 'getLearningPath',
        summary: 'Get a learning path',
        description:
          'With its modules in their order. The owner, managers and admins get all fields and the answers of quizzes; other users titles and counts.',
        params: PathParams,
        response: { 200: PathDetails },
      },
      handler: (request) => request.inTenant((tx) => getLearningPath(tx, request.actor, request.params.path_id)),
    })

    app.route({
      method: 'PATCH',
      url: '/api/enablement/learning/paths/:path_id',
      config: { scope: 'learning.write' },
      schema: {
        operationId: 'updateLearningPath',
        summary: 'Update a learning path',
        description:
          'For the owner, managers and admins. `status` changes from `draft` to `published`, `archived` and `draft` again; open enrollments may finish. `module_order` lists the ids of all modules.',
        params: PathParams,
        body: PathChanges,
        response: { 200: PathDetails },
      },
      handler: (request) => {
        const input = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant((tx) => updateLearningPath(tx, request.actor, request.params.path_id, input))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/enablement/learning/paths/:path_id',
      config: { scope: 'learning.delete' },
      schema: {
        operationId: 'deleteLearningPath',
        summary: 'Delete a learning path',
        description:
          'For the owner, managers and admins. If users have open enrollments, the response is 409 `in_use`. Certificates stay.',
        params: PathParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const input = { expectedVersion: expectedVersion(request), now: clock.now() }
        await request.inTenant((tx) => deleteLearningPath(tx, request.actor, request.params.path_id, input))
      },
    })
  }
