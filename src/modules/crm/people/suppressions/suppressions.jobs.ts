import { Type } from 'typebox'
import { runTaskBatches, TaskRequester, toTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { defineTask, defineTaskHandler, type StartedTask, startTask } from '#platform/tasks'
import { recordOptOuts } from '../consent/record-opt-out.service.ts'
import { insertUploaded, takeUploaded } from './suppressions.queries.ts'
import { toInvalidRows } from './suppressions.rules.ts'

const UploadInput = strict({
  upload_id: Id,
  total: Type.Integer(),
  invalid_rows: Type.Array(Type.Integer()),
  source: Type.String(),
  by: TaskRequester,
})
const uploadTask = defineTask('suppressions.upload', 'bulk', UploadInput)

const batchSize = 500
const rowsPerInsert = 2_000

type Upload = { emails: readonly string[]; source: string; invalidRows: readonly number[] }

export async function startUpload(
  tx: TenantTx,
  actor: UserActor,
  { emails, source, invalidRows }: Upload,
): Promise<StartedTask> {
  const upload_id = newId()
  const total = emails.length
  for (let start = 0; start < total; start += rowsPerInsert)
    await insertUploaded(tx, upload_id, start, emails.slice(start, start + rowsPerInsert))
  await recordAudit(tx, 'suppression.uploaded', { id: upload_id, after: { total, source } })
  const input = { upload_id, total, invalid_rows: [...invalidRows], source, by: toTaskRequester(actor) }
  return await startTask(tx, uploadTask, input, { title: `Suppress ${total} email addresses`, total })
}

export const uploadSuppressionsHandler = (services: Pick<Services, 'db' | 'clock' | 'secrets'>): JobHandler =>
  defineTaskHandler<typeof UploadInput, { done: number; added: number }>(
    uploadTask,
    async (context, { upload_id, total, invalid_rows, source, by }) => {
      const { added } = await runTaskBatches(context, services, {
        requester: by,
        scopes: ['leads.write', 'contacts.write'],
        start: { done: 0, added: 0 },
        isComplete: ({ done }) => done >= total,
        countDone: ({ done }) => done,
        async runBatch(tx, _actor, { done, added }) {
          const emails = await takeUploaded(tx, upload_id, done + batchSize)
          const optedOut = await recordOptOuts(tx, services, { emails, reason: 'listed', source })
          return { done: Math.min(total, done + batchSize), added: added + optedOut.size }
        },
      })
      return { total, added, unchanged: total - added, ...toInvalidRows(invalid_rows) }
    },
  )
