import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { SurveyParams } from '../../design/survey-records/surveys.schemas.ts'
import { AnalyticsQuery, SurveyAnalytics } from './analytics.schemas.ts'
import { getSurveyAnalytics } from './analytics.service.ts'

export const analyticsRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/surveys/:survey_id/analytics',
      config: { scope: 'surveys.read' },
      schema: {
        operationId: 'getSurveyAnalytics',
        summary: 'Get the results of a survey',
        description:
          'Only completed responses count. `totals` and medians are those of the whole survey, everything else of the range. An anonymous survey has no results before `min_group_size` responses are released, no `trend` and `groups` before it is closed, and hides small groups.',
        params: SurveyParams,
        querystring: AnalyticsQuery,
        response: { 200: SurveyAnalytics },
      },
      handler: (request) =>
        request.inTenant((tx) => getSurveyAnalytics(tx, request.params.survey_id, request.query, services)),
    })
  }
