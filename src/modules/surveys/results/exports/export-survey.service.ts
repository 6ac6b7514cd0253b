import { toTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { gone, notFound } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { startTask } from '#platform/tasks'
import { getSurveyRow } from '../../design/survey-records/surveys.queries.ts'
import { exportTask } from './export-task.ts'
import { getExport, insertExport } from './exports.queries.ts'
import type { StartedExport } from './exports.schemas.ts'

export const exportDays = 1

export async function exportSurvey(
  tx: TenantTx,
  actor: UserActor,
  surveyId: string,
  { clock }: Pick<Services, 'clock'>,
): Promise<StartedExport> {
  const survey = await getSurveyRow(tx, surveyId)
  const id = newId()
  const now = clock.now()
  const task = await startTask(
    tx,
    exportTask,
    { export_id: id, survey_id: surveyId, by: toTaskRequester(actor) },
    { title: `Export the survey "${survey.name}"`, resource: { type: 'survey', id: surveyId } },
  )
  await insertExport(tx, {
    id,
    survey_id: surveyId,
    task_id: task.task_id,
    created_by: actor.userId,
    created_at: now,
    expires_at: daysLater(now, exportDays),
  })
  await recordAudit(tx, 'survey.exported', { id: surveyId, label: survey.name, after: { export_id: id } })
  return { ...task, export_id: id }
}

type ExportIds = { survey_id: string; export_id: string }

export async function findExportFileId(
  tx: TenantTx,
  { survey_id, export_id }: ExportIds,
  { clock }: Pick<Services, 'clock'>,
): Promise<string> {
  await getSurveyRow(tx, survey_id)
  const { file_id, expires_at } = await getExport(tx, survey_id, export_id)
  if (expires_at <= clock.now()) throw gone('link_expired', 'This export has expired. Create a new one.')
  if (file_id === null) throw notFound('file')
  return file_id
}
