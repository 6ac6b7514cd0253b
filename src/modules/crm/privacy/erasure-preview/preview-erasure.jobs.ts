import { Type } from 'typebox'
import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import type { JobContext, JobHandler } from '#platform/jobs'
import { Id, strict } from '#platform/schema'
import { defineTask, defineTaskHandler } from '#platform/tasks'
import { type ErasureServices, runErasureRequest } from '../erasure/erase-person.jobs.ts'
import { insertErasureRequest } from '../erasure/erasure-requests.queries.ts'
import { getPersonRecord, newErasureRequest } from '../erasure/request-erasure.service.ts'
import { limitLockWaits } from './erasure-preview.queries.ts'

const PreviewInput = strict({
  record_type: Type.Enum(['lead', 'contact']),
  record_id: Id,
  keep_suppression: Type.Boolean(),
})
export const previewErasureTask = defineTask('people.preview_erasure', 'bulk', PreviewInput)

/** The transaction holds the records of the person, so that others who change them wait. */
const limitMs = 60_000

/** Runs the erasure in one transaction and rolls it back, so that the numbers are those of the erasure. */
export const previewErasureHandler = (services: ErasureServices): JobHandler =>
  defineTaskHandler(previewErasureTask, async (context, { record_type, record_id, keep_suppression }) => {
    const limit = AbortSignal.timeout(limitMs)
    const signal = AbortSignal.any([context.signal, limit])
    try {
      const counts = await runAndRollBack(context, async (tx) => {
        await limitLockWaits(tx)
        const record = await getPersonRecord(tx, record_type, record_id)
        const request = await newErasureRequest(tx, record, { keep_suppression, requested_by: null }, services)
        if (!(await insertErasureRequest(tx, request)))
          throw conflict('conflict', 'An erasure of the person was started. Wait for it instead.')
        const inOneTransaction: JobContext['inTenant'] = (work) => work(tx)
        const run = { inTenant: inOneTransaction, inTenantAsSystem: inOneTransaction, signal }
        return await runErasureRequest(run, request.id, services)
      })
      return { counts }
    } catch (error) {
      if (!limit.aborted || context.signal.aborted) throw error
      throw conflict('conflict', 'The workspace is too large for a preview. The erasure itself has no time limit.')
    }
  })

async function runAndRollBack<T>(
  { inTenantAsSystem }: Pick<JobContext, 'inTenantAsSystem'>,
  work: (tx: TenantTx) => Promise<T>,
): Promise<T> {
  const rollback = new Error('The result is complete, and its transaction is rolled back.')
  let result: T | undefined
  try {
    await inTenantAsSystem(async (tx) => {
      result = await work(tx)
      throw rollback
    })
  } catch (error) {
    if (error !== rollback) throw error
  }
  return result!
}
