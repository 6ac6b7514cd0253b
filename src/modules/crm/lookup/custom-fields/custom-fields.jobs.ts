import { Type } from 'typebox'
import { retryOnContention, type TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import { defineJob, defineJobHandler, enqueue, type JobContext } from '#platform/jobs'
import { Id, nullable, strict } from '#platform/schema'
import { type ObjectType, objectTypes } from '../../records/custom-values/custom-values.schemas.ts'
import {
  deleteFieldEntriesBatch,
  indexTextsBatch,
  indexValuesBatch,
  purgeFieldBatch,
  rewriteValuesBatch,
} from './rewrite-values.service.ts'
import {
  claimValuesBatch,
  deleteUniqueValuesBatch,
  endUniqueness,
  type UniquenessProgress,
} from './unique-values.service.ts'

const indexCustomField = defineJob('crm.index_custom_field', 'bulk', strict({ field_id: Id }))
const purgeCustomField = defineJob('crm.purge_custom_field', 'bulk', strict({ field_id: Id }))
const removeFieldIndex = defineJob('crm.remove_custom_field_index', 'bulk', strict({ field_id: Id }))
const claimUniqueField = defineJob('crm.claim_unique_values', 'bulk', strict({ field_id: Id }))
const removeUniqueValues = defineJob('crm.remove_unique_values', 'bulk', strict({ field_id: Id }))
const indexCustomTexts = defineJob(
  'crm.index_custom_texts',
  'bulk',
  strict({ object_type: Type.Enum([...objectTypes]) }),
)
const rewriteCustomValues = defineJob(
  'crm.rewrite_custom_values',
  'bulk',
  strict({ field_id: Id, replace_options: Type.Record(Type.String(), nullable(Type.String())) }),
)

export const enqueueIndexing = (tx: TenantTx, field_id: string) => enqueue(tx, indexCustomField, { field_id })
export const enqueueUniqueness = (tx: TenantTx, field_id: string) => enqueue(tx, claimUniqueField, { field_id })
export const enqueueUniqueRemoval = (tx: TenantTx, field_id: string) => enqueue(tx, removeUniqueValues, { field_id })
export const enqueueTextIndexing = (tx: TenantTx, object_type: ObjectType) =>
  enqueue(tx, indexCustomTexts, { object_type }, { singletonKey: object_type })
export const enqueuePurge = (tx: TenantTx, field_id: string) => enqueue(tx, purgeCustomField, { field_id })
export const enqueueIndexRemoval = (tx: TenantTx, field_id: string) => enqueue(tx, removeFieldIndex, { field_id })
export const enqueueRewrite = (tx: TenantTx, field_id: string, replace_options: Record<string, string | null>) =>
  enqueue(tx, rewriteCustomValues, { field_id, replace_options })

/** A batch returns the last id it read, or null when it is done. */
async function runBatches(
  { inTenant, signal }: JobContext,
  runBatch: (tx: TenantTx, after: string) => Promise<string | null>,
): Promise<void> {
  for (let after: string | null = nilUuid; after !== null; ) {
    signal.throwIfAborted()
    const from: string = after
    after = await inTenant((tx) => runBatch(tx, from))
  }
}

/** A run after an interruption starts again, because claimed values stay with their records. */
async function claimValues({ inTenant, signal }: JobContext, fieldId: string): Promise<void> {
  let progress: UniquenessProgress = { after: nilUuid, duplicateIds: [] }
  while (progress.after !== null) {
    signal.throwIfAborted()
    const from: UniquenessProgress = progress
    progress = await retryOnContention(() => inTenant((tx) => claimValuesBatch(tx, fieldId, from)), signal)
  }
  await inTenant((tx) => endUniqueness(tx, fieldId, progress.duplicateIds))
}

export const customFieldJobHandlers = [
  defineJobHandler(claimUniqueField, async (context, { field_id }) => {
    await claimValues(context, field_id)
    await runBatches(context, (tx) => deleteUniqueValuesBatch(tx, field_id))
  }),
  defineJobHandler(removeUniqueValues, (context, { field_id }) =>
    runBatches(context, (tx) => deleteUniqueValuesBatch(tx, field_id)),
  ),
  defineJobHandler(indexCustomField, (context, { field_id }) =>
    runBatches(context, (tx, after) => indexValuesBatch(tx, field_id, after)),
  ),
  defineJobHandler(rewriteCustomValues, (context, { field_id, replace_options }) =>
    runBatches(context, (tx, after) => rewriteValuesBatch(tx, field_id, replace_options, after)),
  ),
  defineJobHandler(indexCustomTexts, (context, { object_type }) =>
    runBatches(context, (tx, after) => indexTextsBatch(tx, object_type, after)),
  ),
  defineJobHandler(removeFieldIndex, (context, { field_id }) =>
    runBatches(context, (tx) => deleteFieldEntriesBatch(tx, field_id)),
  ),
  defineJobHandler(purgeCustomField, (context, { field_id }) =>
    runBatches(context, (tx, after) => purgeFieldBatch(tx, field_id, after)),
  ),
]
