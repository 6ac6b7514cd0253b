import type { TenantTx } from '#platform/db'
import { gone, notFound } from '#platform/errors'
import type { Services } from '#platform/module'
import { getSurveyRow } from '../../design/survey-records/surveys.queries.ts'
import { getExport } from './exports.queries.ts'

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
