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
          'Only completed responses count. `totals` and medians are those of the whole survey, everything else of the range. An anonymous survey shows its score in steps of at least `min_group_size` responses, or not before its end if it has a `breakdown`. Everything else is shown once, after its end; questions, months and groups that would reveal single answers are left out.',
        params: SurveyParams,
        querystring: AnalyticsQuery,
        response: { 200: SurveyAnalytics },
      },
      handler: (request) =>
        request.inTenant((tx) => getSurveyAnalytics(tx, request.params.survey_id, request.query, services)),
    })
  }
