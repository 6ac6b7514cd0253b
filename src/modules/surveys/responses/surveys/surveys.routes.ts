import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { Survey, SurveySummary } from '../../design/survey-records/survey-details.schemas.ts'
import { NewSurvey, SurveyChanges, SurveyParams, SurveyQuery } from '../../design/survey-records/surveys.schemas.ts'
import { createSurvey } from './create-survey.service.ts'
import { deleteSurvey } from './delete-survey.service.ts'
import { getSurvey, listSurveys, toSurveyDetails } from './survey-details.service.ts'
import { updateSurvey } from './update-survey.service.ts'

export const surveyRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/surveys/',
      config: { scope: 'surveys.read' },
      schema: {
        operationId: 'listSurveys',
        summary: 'List surveys',
        description: 'The newest surveys first, without their questions.',
        querystring: SurveyQuery,
        response: { 200: pageOf(SurveySummary) },
      },
      handler: (request) => request.inTenant((tx) => listSurveys(tx, request.actor, request.query, services)),
    })

    app.route({
      method: 'POST',
      url: '/api/surveys/',
      config: { scope: 'surveys.write' },
      schema: {
        operationId: 'createSurvey',
        summary: 'Create a survey',
        description:
          'Requires `name` and `survey_type`. The survey is a draft until `status` is set to `active`. Texts are strings in the default language or objects with one text per language.',
        body: NewSurvey,
        response: { 201: Survey },
      },
      handler: (request) =>
        request.inTenant(async (tx) => {
          const survey = await createSurvey(tx, request.actor, request.body, services)
          return await toSurveyDetails(tx, request.actor, survey, services)
        }),
    })

    app.route({
      method: 'GET',
      url: '/api/surveys/:survey_id',
      config: { scope: 'surveys.read' },
      schema: {
        operationId: 'getSurvey',
        summary: 'Get a survey',
        description: '`headline` is null if an anonymous survey has fewer responses than `min_group_size`.',
        params: SurveyParams,
        response: { 200: Survey },
      },
      handler: (request) => request.inTenant((tx) => getSurvey(tx, request.actor, request.params.survey_id, services)),
    })

    app.route({
      method: 'PATCH',
      url: '/api/surveys/:survey_id',
      config: { scope: 'surveys.write' },
      schema: {
        operationId: 'updateSurvey',
        summary: 'Update a survey',
        description:
          'Allowed for the owner, managers and admins. `status` changes from `draft` to `active`, between `active` and `paused`, and to `closed`; a closed survey can be activated again unless it is anonymous. A closed survey can only change its name, description, effects, owner, campaign and a larger `min_group_size`.',
        params: SurveyParams,
        body: SurveyChanges,
        response: { 200: Survey },
      },
      handler: (request) => {
        const input = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant(async (tx) => {
          const survey = await updateSurvey(tx, request.actor, request.params.survey_id, input, services)
          return await toSurveyDetails(tx, request.actor, survey, services)
        })
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/surveys/:survey_id',
      config: { scope: 'surveys.delete' },
      schema: {
        operationId: 'deleteSurvey',
        summary: 'Delete a survey',
        description:
          'Allowed for the owner, managers and admins, if the survey is a draft or closed. Its links stop working at once; responses are deleted after 30 days.',
        params: SurveyParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const options = { expectedVersion: expectedVersion(request), now: services.clock.now() }
        await request.inTenant((tx) => deleteSurvey(tx, request.actor, request.params.survey_id, options))
      },
    })
  }
