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
import { suppressEmails } from './add-suppressions.service.ts'
import { insertUpload, takeUploaded } from './suppressions.queries.ts'

const UploadInput = strict({
  upload_id: Id,
  total: Type.Integer(),
  invalid: Type.Integer(),
  source: Type.String(),
  by: TaskRequester,
})
const uploadTask = defineTask('suppressions.upload', 'bulk', UploadInput)

const batchSize = 500

type Upload = { emails: readonly string[]; source: string; invalidRows: number }

export async function startUpload(
  tx: TenantTx,
  actor: UserActor,
  { emails, source, invalidRows }: Upload,
): Promise<StartedTask> {
  const upload_id = newId()
  const total = emails.length
  await insertUpload(tx, upload_id, emails)
  await recordAudit(tx, 'suppression.uploaded', { id: upload_id, after: { total, source } })
  const input = { upload_id, total, invalid: invalidRows, source, by: toTaskRequester(actor) }
  return await startTask(tx, uploadTask, input, { title: `Suppress ${total} email addresses`, total })
}

export const uploadSuppressionsHandler = (services: Pick<Services, 'db' | 'clock' | 'secrets'>): JobHandler =>
  defineTaskHandler<typeof UploadInput, { done: number; added: number }>(
    uploadTask,
    async (context, { upload_id, total, invalid, source, by }) => {
      const { added } = await runTaskBatches(context, services, {
        requester: by,
        scopes: ['leads.write'],
        start: { done: 0, added: 0 },
        isComplete: ({ done }) => done >= total,
        countDone: ({ done }) => done,
        async runBatch(tx, _actor, { done, added }) {
          const emails = await takeUploaded(tx, upload_id, done + batchSize)
          const result = await suppressEmails(tx, services, emails, { reason: 'listed', source })
          return { done: Math.min(total, done + batchSize), added: added + result.added }
        },
      })
      return { total, added, unchanged: total - added, invalid }
    },
  )
