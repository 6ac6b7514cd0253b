import type { TenantTx } from '#platform/db'
import { enqueue } from '#platform/jobs'
import { extractTextJob } from './extract-text.jobs.ts'
import { previewFileJob } from './preview-file.jobs.ts'

export async function requestPreviews(tx: TenantTx, fileId: string): Promise<void> {
  await enqueue(tx, previewFileJob, { file_id: fileId })
  await enqueue(tx, extractTextJob, { file_id: fileId })
}
