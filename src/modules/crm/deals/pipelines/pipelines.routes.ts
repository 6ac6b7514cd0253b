import type { Clock } from '#platform/clock'
import { expectedVersion, type Routes } from '#platform/http'
import { listOf } from '#platform/schema'
import { NewPipeline, Pipeline, PipelineParams, PipelineReplacement } from './pipelines.schemas.ts'
import { createPipeline, listPipelines, replacePipeline } from './pipelines.service.ts'

export const pipelineRoutes =
  ({ clock }: { clock: Clock }): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/opportunities/pipelines',
      config: { scope: 'opportunities.read' },
      schema: {
        operationId: 'listPipelines',
        summary: 'List pipelines with their stages',
        response: { 200: listOf(Pipeline) },
      },
      handler: (request) => request.inTenant(listPipelines),
    })

    app.route({
      method: 'POST',
      url: '/api/opportunities/pipelines',
      config: { scope: 'opportunities.write', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'createPipeline',
        summary: 'Create a pipeline',
        description:
          'Requires at least one active stage of kind `open` and exactly one each of kind `won` and `lost`. ' +
          'Probability and forecast category of won and lost stages are fixed.',
        body: NewPipeline,
        response: { 201: Pipeline },
      },
      handler: (request) => request.inTenant((tx) => createPipeline(tx, request.body)),
    })

    app.route({
      method: 'PUT',
      url: '/api/opportunities/pipelines/:pipeline_id',
      config: { scope: 'opportunities.write', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'replacePipeline',
        summary: 'Replace a pipeline with all its stages',
        description:
          'Stages are matched by `key`; omitted stages are removed. Removing a stage that has deals requires `move_to`. ' +
          'Deals keep their probability when the probability of their stage changes.',
        params: PipelineParams,
        body: PipelineReplacement,
        response: { 200: Pipeline },
      },
      handler: (request) => {
        const { params, body } = request
        const replacement = { pipeline: body, expectedVersion: expectedVersion(request), now: clock.now() }
        return request.inTenant((tx) => replacePipeline(tx, params.pipeline_id, replacement))
      },
    })
  }
