import { Type } from 'typebox'
import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { strict } from '#platform/schema'
import { SurveyParams } from '../survey-records/surveys.schemas.ts'
import { createSurveyLink, deleteSurveyLink } from './links.service.ts'

export const surveyLinkRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/surveys/:survey_id/link',
      config: { scope: 'surveys.write', oneTimeFields: ['url'] },
      schema: {
        operationId: 'createSurveyLink',
        summary: 'Create the public link of a survey',
        description:
          'Every person with the link can respond. Replaces the previous link. Allowed for the owner, managers and admins; a draft cannot have a link. The response to a repeated `Idempotency-Key` does not contain the URL; get the survey instead.',
        params: SurveyParams,
        response: { 201: strict({ url: Type.Unsafe<string | null>({ type: ['string', 'null'] }) }) },
      },
      handler: (request) =>
        request.inTenant((tx) => createSurveyLink(tx, request.actor, request.params.survey_id, services)),
    })

    app.route({
      method: 'DELETE',
      url: '/api/surveys/:survey_id/link',
      config: { scope: 'surveys.delete' },
      schema: {
        operationId: 'deleteSurveyLink',
        summary: 'Delete the public link of a survey',
        description: 'The link stops working at once. Allowed for the owner, managers and admins.',
        params: SurveyParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        await request.inTenant((tx) => deleteSurveyLink(tx, request.actor, request.params.survey_id, services))
      },
    })
  }
