import { Type } from 'typebox'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { assertVersion } from '#platform/errors'
import { defineJob, defineJobHandler, enqueue } from '#platform/jobs'
import { emit } from '#platform/outbox'
import { Id, strict } from '#platform/schema'
import { lockActor } from '../actors/actors.queries.ts'
import { actorErased } from '../plg.events.ts'
import { endQualifications } from '../qualifications/evaluate.service.ts'
import { listOpenIdsOfActor } from '../qualifications/qualifications.queries.ts'
import { clearProperties } from '../usage-store/timeline.queries.ts'
import { deleteActorText, eraseActorRow } from './erase-actor.queries.ts'

const batchSize = 2_000

const eraseProperties = defineJob('plg.erase_properties', 'bulk', strict({ actor_id: Id, is_account: Type.Boolean() }))

export const erasePropertiesHandler = defineJobHandler(
  eraseProperties,
  async ({ inTenant, signal }, { actor_id, is_account }) => {
    const kind = is_account ? 'account' : 'person'
    do signal.throwIfAborted()
    while ((await inTenant((tx) => clearProperties(tx, actor_id, kind, batchSize))) === batchSize)
  },
)

/** Ends the qualifications, erases the traits and the properties of some events; a job erases those of the others. */
export async function eraseActor(
  tx: TenantTx,
  { id, is_account }: { id: string; is_account: boolean },
  now: Date,
): Promise<number> {
  await endQualifications(tx, await listOpenIdsOfActor(tx, id), { now })
  await Promise.all([eraseActorRow(tx, id, now), deleteActorText(tx, id)])
  const cleared = await clearProperties(tx, id, is_account ? 'account' : 'person', batchSize)
  if (cleared === batchSize) await enqueue(tx, eraseProperties, { actor_id: id, is_account })
  return cleared
}

type DeleteOptions = { expectedVersion?: number; now: Date }

export async function deleteUsageActor(
  tx: TenantTx,
  id: string,
  { expectedVersion, now }: DeleteOptions,
): Promise<void> {
  const actor = await lockActor(tx, id)
  assertVersion(actor, expectedVersion)
  await eraseActor(tx, actor, now)
  await recordAudit(tx, 'plg.actor_erased', { id, label: null })
  await emit(tx, actorErased, { id, version: actor.version + 1 }, {})
}
