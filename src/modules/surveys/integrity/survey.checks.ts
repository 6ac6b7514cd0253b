import { defineRecordCheck, type IntegrityCheck } from '#platform/module'
import {
  findResponsesWithoutAnswers,
  findSurveysWithDrift,
  lockCounterRows,
  recountSurveys,
} from './survey-integrity.queries.ts'

export const surveyChecks: IntegrityCheck[] = [
  defineRecordCheck({
    code: 'counter_drift',
    title: 'Counter that differs from the records',
    severity: 'warning',
    hint: 'Count the records again.',
    resourceType: 'survey',
    find: findSurveysWithDrift,
    async repair(tx, ids) {
      await lockCounterRows(tx, ids)
      return await recountSurveys(tx, ids)
    },
  }),
  defineRecordCheck({
    code: 'survey_response_without_answers',
    title: 'Response to a survey without answers',
    severity: 'error',
    hint: 'Delete the response, or restore its answers from a backup.',
    resourceType: 'survey_response',
    find: findResponsesWithoutAnswers,
  }),
]
