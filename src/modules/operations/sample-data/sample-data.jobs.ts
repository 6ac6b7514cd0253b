import type { JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { defineTaskHandler } from '#platform/tasks'
import {
  deleteSampleBatch,
  findSampleBatch,
  insertSampleRecords,
  listSampleRecords,
  updateSampleBatch,
} from './sample-batches.queries.ts'
import { loadSampleData, removeSampleData } from './sample-data.flow.ts'
import { listModified } from './sample-data.service.ts'
import { loadSampleDataTask, removeSampleDataTask } from './sample-data-tasks.ts'

export const loadSampleDataHandler = (services: Services): JobHandler =>
  defineTaskHandler(loadSampleDataTask, async (context) => {
    const { tenantId, inTenant, signal } = context
    const batch = await inTenant(findSampleBatch)
    if (batch?.state !== 'loading') return undefined
    const loaded = { done: batch.done, records: await inTenant(listSampleRecords) }
    const records = await loadSampleData(services, {
      tenantId,
      userId: batch.loaded_by,
      now: batch.planned_at,
      loaded,
      signal,
      async save(tx, step) {
        await insertSampleRecords(tx, step.records)
        await updateSampleBatch(tx, { done: step.done })
        context.reportProgress(step.done, step.total)
      },
    })
    await inTenant((tx) => updateSampleBatch(tx, { state: 'loaded', loaded_at: services.clock.now() }))
    return { records: records.length }
  })

export const removeSampleDataHandler = (services: Services): JobHandler =>
  defineTaskHandler(removeSampleDataTask, async ({ tenantId, inTenant, signal }, { include_modified }) => {
    const { records, modified } = await inTenant(async (tx) => {
      const [batch, all] = await Promise.all([findSampleBatch(tx), listSampleRecords(tx)])
      return { records: all, modified: batch && !include_modified ? await listModified(tx, batch, all) : [] }
    })
    const keptIds = new Set(modified.map(({ id }) => id))
    const removable = records.filter(({ id }) => !keptIds.has(id))
    const needed = await removeSampleData(services, { tenantId, records: removable, signal })
    await inTenant(deleteSampleBatch)
    return { removed: removable.length - needed.length, kept: modified.length + needed.length }
  })
