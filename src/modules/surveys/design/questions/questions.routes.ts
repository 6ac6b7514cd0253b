import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { listOf } from '#platform/schema'
import {
  NewQuestion,
  Question,
  QuestionChanges,
  QuestionOrder,
  QuestionParams,
} from '../question-records/questions.schemas.ts'
import { SurveyParams } from '../survey-records/surveys.schemas.ts'
import {
  createSurveyQuestion,
  deleteSurveyQuestion,
  reorderSurveyQuestions,
  updateSurveyQuestion,
} from './questions.service.ts'

export const questionRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/surveys/:survey_id/questions',
      config: { scope: 'surveys.write' },
      schema: {
        operationId: 'createSurveyQuestion',
        summary: 'Create a question of a survey',
        description:
          'Requires `title` and `question_type`. Allowed for the owner, managers and admins. The question is the last one unless `position` is set. After the first response it cannot be required.',
        params: SurveyParams,
        body: NewQuestion,
        response: { 201: Question },
      },
      handler: (request) =>
        request.inTenant((tx) =>
          createSurveyQuestion(tx, request.actor, request.params.survey_id, request.body, services),
        ),
    })

    app.route({
      method: 'POST',
      url: '/api/surveys/:survey_id/questions/reorder',
      config: { scope: 'surveys.write', successStatus: 200 },
      schema: {
        operationId: 'reorderSurveyQuestions',
        summary: 'Reorder the questions of a survey',
        description: '`question_ids` has every question once. Conditions can only name earlier questions.',
        params: SurveyParams,
        body: QuestionOrder,
        response: { 200: listOf(Question) },
      },
      handler: async (request) => {
        const { survey_id: surveyId } = request.params
        const items = await request.inTenant((tx) =>
          reorderSurveyQuestions(tx, request.actor, surveyId, request.body.question_ids),
        )
        return { items, total: items.length }
      },
    })

    app.route({
      method: 'PATCH',
      url: '/api/surveys/:survey_id/questions/:question_id',
      config: { scope: 'surveys.write' },
      schema: {
        operationId: 'updateSurveyQuestion',
        summary: 'Update a question of a survey',
        description:
          'Allowed for the owner, managers and admins. `options` replaces all options. After the first response, type, key, scale, rows and columns are fixed, other changes count a `revision`, and deleted options are archived.',
        params: QuestionParams,
        body: QuestionChanges,
        response: { 200: Question },
      },
      handler: (request) => {
        const { survey_id: surveyId, question_id: questionId } = request.params
        const input = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant((tx) =>
          updateSurveyQuestion(tx, request.actor, { surveyId, questionId }, input, services),
        )
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/surveys/:survey_id/questions/:question_id',
      config: { scope: 'surveys.delete' },
      schema: {
        operationId: 'deleteSurveyQuestion',
        summary: 'Delete a question of a survey',
        description:
          'Allowed for the owner, managers and admins. After the first response the question is archived and stays in the results. A question that a condition names cannot be deleted.',
        params: QuestionParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const { survey_id: surveyId, question_id: questionId } = request.params
        const options = { clock: services.clock, expectedVersion: expectedVersion(request) }
        await request.inTenant((tx) => deleteSurveyQuestion(tx, request.actor, { surveyId, questionId }, options))
      },
    })
  }
