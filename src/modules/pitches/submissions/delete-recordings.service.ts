import type { Clock } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { deleteFilesNow } from '#platform/files'
import type { SubmissionRow } from './submission-row.ts'

export async function deleteRecordings(
  tx: TenantTx,
  { clock }: { clock: Clock },
  submissions: readonly Pick<SubmissionRow, 'file_id'>[],
): Promise<void> {
  const fileIds = submissions.flatMap(({ file_id }) => file_id ?? [])
  await deleteFilesNow(tx, { clock }, fileIds, { isAudited: false })
}
