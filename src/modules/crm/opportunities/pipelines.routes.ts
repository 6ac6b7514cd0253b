import type { Clock } from '#platform/clock'
import { expectedVersion, type Routes } from '#platform/http'
import { setOf } from '#platform/schema'
import { NewPipeline, Pipeline, PipelineParams, WrittenPipeline } from './pipelines.schemas.ts'
import { layPipeline, listPipelines, replacePipeline } from './pipelines.service.ts'

export const pipelineRoutes =
  ({ clock }: { clock: Clock }): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/opportunities/pipelines',
      config: { scope: 'opportunities.read' },
      schema: {
        operationId: 'listPipelines',
        summary: 'List the pipelines with their stages',
        response: { 200: setOf(Pipeline) },
      },
      handler: (request) => request.inTenant(listPipelines),
    })

    app.route({
      method: 'POST',
      url: '/api/opportunities/pipelines',
      config: { scope: 'opportunities.write', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'layPipeline',
        summary: 'Lay a pipeline',
        description:
          'It has at least one active stage of kind `open`, and exactly one each of kind `won` and `lost`. ' +
          'Rate and category of these two follow from their kind.',
        body: NewPipeline,
        response: { 201: Pipeline },
      },
      handler: (request) => request.inTenant((tx) => layPipeline(tx, request.body)),
    })

    app.route({
      method: 'PUT',
      url: '/api/opportunities/pipelines/:pipeline_id',
      config: { scope: 'opportunities.write', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'replacePipeline',
        summary: 'Replace a pipeline with all its stages',
        description:
          'A stage is known by its key. One that is left out is removed; where deals are in it, `move_to` names the stage they move to. ' +
          'Deals keep their probability when that of their stage changes.',
        params: PipelineParams,
        body: WrittenPipeline,
        response: { 200: Pipeline },
      },
      handler: (request) => {
        const { params, body } = request
        const replacement = { pipeline: body, expectedVersion: expectedVersion(request), now: clock.now() }
        return request.inTenant((tx) => replacePipeline(tx, params.pipeline_id, replacement))
      },
    })
  }
