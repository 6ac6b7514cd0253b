import { Type } from 'typebox'
import { ProblemDetails, type Routes } from '#platform/http'
import { pageOf } from '#platform/schema'
import { SurveyParams } from '../../design/survey-records/surveys.schemas.ts'
import { ResponseParams, ResponseQuery, SurveyResponse } from './responses.schemas.ts'
import { deleteSurveyResponse, listSurveyResponses } from './responses.service.ts'

export const responseRoutes: Routes = async (app) => {
  app.route({
    method: 'GET',
    url: '/api/surveys/:survey_id/responses',
    config: { scope: 'surveys.read' },
    schema: {
      operationId: 'listSurveyResponses',
      summary: 'List responses to a survey',
      description: 'The newest responses first, with their answers. Not available for anonymous surveys.',
      params: SurveyParams,
      querystring: ResponseQuery,
      response: { 200: pageOf(SurveyResponse), 409: ProblemDetails },
    },
    handler: (request) => request.inTenant((tx) => listSurveyResponses(tx, request.params.survey_id, request.query)),
  })

  app.route({
    method: 'DELETE',
    url: '/api/surveys/:survey_id/responses/:response_id',
    config: { scope: 'surveys.delete' },
    schema: {
      operationId: 'deleteSurveyResponse',
      summary: 'Delete a response to a survey',
      description:
        'Allowed for managers and admins. The response no longer counts in the results. Not available for anonymous surveys.',
      params: ResponseParams,
      response: { 204: Type.Null() },
    },
    handler: async (request) => {
      const { survey_id: surveyId, response_id: responseId } = request.params
      await request.inTenant((tx) => deleteSurveyResponse(tx, request.actor, { surveyId, responseId }))
    },
  })
}
