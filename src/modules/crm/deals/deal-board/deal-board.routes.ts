import type { Clock } from '#platform/clock'
import type { Routes } from '#platform/http'
import { OpportunityBoard, OpportunityBoardQuery } from './deal-board.schemas.ts'
import { getOpportunityBoard } from './deal-board.service.ts'

export const dealBoardRoutes =
  ({ clock }: { clock: Clock }): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/opportunities/board',
      config: { scope: 'opportunities.read' },
      schema: {
        operationId: 'getOpportunityBoard',
        summary: 'Get the deal board',
        description:
          'Open stages have all open deals; won and lost stages have those closed in the current fiscal quarter (`closed_at`), ' +
          'without `items`. `next_cursor` continues a stage in `GET /api/opportunities/` with `pipeline_id`, `stage_key`, ' +
          '`kind=open`, `sort=-amount` and the same `owner_id`, `team_id` and `search`. With `search`, cards and figures are those of at most ' +
          '10,000 matching deals.',
        querystring: OpportunityBoardQuery,
        response: { 200: OpportunityBoard },
      },
      handler: (request) =>
        request.inTenant((tx) => getOpportunityBoard(tx, request.actor, request.query, clock.now())),
    })
  }
