import type { TenantTx } from '#platform/db'
import { type StartedTask, startTask } from '#platform/tasks'
import { getPersonRecord, type PersonRecord } from '../erasure/request-erasure.service.ts'
import type { PreviewOptions } from './erasure-preview.schemas.ts'
import { previewErasureTask } from './preview-erasure.jobs.ts'

export const previewLeadErasure = (tx: TenantTx, id: string, options: PreviewOptions): Promise<StartedTask> =>
  startPreview(tx, 'lead', id, options)

export const previewContactErasure = (tx: TenantTx, id: string, options: PreviewOptions): Promise<StartedTask> =>
  startPreview(tx, 'contact', id, options)

async function startPreview(
  tx: TenantTx,
  record_type: PersonRecord['type'],
  record_id: string,
  { keep_suppression }: PreviewOptions,
): Promise<StartedTask> {
  await getPersonRecord(tx, record_type, record_id)
  const input = { record_type, record_id, keep_suppression }
  return await startTask(tx, previewErasureTask, input, { title: 'Preview the erasure of a person' })
}
