import { resolveTaskRequester } from '#modules/identity'
import { daysLater } from '#platform/clock'
import { type CsvCell, writeCsv } from '#platform/csv'
import { inSnapshot, type SnapshotTx, streamRows } from '#platform/db'
import type { JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { defineTaskHandler } from '#platform/tasks'
import { getCounters } from '../../design/counters/counters.queries.ts'
import { listQuestions } from '../../design/question-records/questions.queries.ts'
import { getSurveyRow } from '../../design/survey-records/surveys.queries.ts'
import { completedCount } from '../../design/survey-records/surveys.rules.ts'
import { showsDetails } from '../../responses/anonymity/anonymity.rules.ts'
import { exportHeader, toExportRow } from './export-rows.rules.ts'
import { exportDays } from './export-survey.service.ts'
import { exportTask } from './export-task.ts'
import { exportPurpose } from './exports.purposes.ts'
import { selectExportedResponses, updateExport } from './exports.queries.ts'

/** Writes the responses of one snapshot to a file, however many there are. */
export const exportSurveyHandler = (services: Services): JobHandler =>
  defineTaskHandler(exportTask, async (context, { export_id, survey_id, by }) => {
    const { clock, db, files } = services
    const actor = await context.inTenant((tx) =>
      resolveTaskRequester(tx, by, { scopes: ['surveys.read'], now: clock.now() }),
    )
    const written = { rows: 0 }
    const reportRows = (rows: number, released: number) => {
      written.rows += rows
      context.reportProgress(written.rows, released)
    }
    const expiresAt = daysLater(clock.now(), exportDays)
    await inSnapshot(
      db,
      actor,
      async (tx) =>
        files.store(context, {
          purpose: exportPurpose.name,
          filename: `survey-${survey_id}.csv`,
          type: 'csv',
          chunks: writeCsv(readExportRows(tx, survey_id, reportRows), { hasBom: true }),
          deleteAfter: expiresAt,
          save: (saving, { id }) =>
            updateExport(saving, export_id, { file_id: id, row_count: written.rows, expires_at: expiresAt }),
        }),
      { signal: context.signal },
    )
    return {
      export_id,
      rows: written.rows,
      download_url: `/api/surveys/${survey_id}/exports/${export_id}/file`,
      expires_at: expiresAt,
    }
  })

/** Returns the cells of all rows. The attack in tests/anonymity reads them without a file. */
export async function* readExportRows(
  tx: SnapshotTx,
  surveyId: string,
  onRows: (rows: number, released: number) => void,
): AsyncGenerator<readonly CsvCell[]> {
  const survey = await getSurveyRow(tx, surveyId)
  const questions = (await listQuestions(tx, surveyId)).filter(({ question_type }) => question_type !== 'statement')
  yield exportHeader(questions, survey.anonymous)
  if (!showsDetails(survey)) return
  const counters = await getCounters(tx, surveyId)
  const released = completedCount(counters) - counters.unreleased
  for await (const responses of streamRows(tx, selectExportedResponses(surveyId, survey.anonymous))) {
    for (const response of responses) yield toExportRow(response, questions, survey.anonymous)
    onRows(responses.length, released)
  }
}
