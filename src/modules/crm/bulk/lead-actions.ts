import { activeUsersAmong } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { conflict, invalid, unknownReference } from '#platform/errors'
import type { BulkAction } from '#platform/module'
import { assertAssignable, assignLead, pickOwner } from '../leads/assignment.service.ts'
import { deleteLead } from '../leads/delete-lead.service.ts'
import { type LeadRow, lockLead } from '../leads/leads.queries.ts'
import { assertStageStep } from '../leads/stage.rules.ts'
import { setStage } from '../leads/stage.service.ts'
import { assertNotConverted, assertReason } from '../leads/status.rules.ts'
import { setStatus } from '../leads/status.service.ts'
import { isBackward } from '../persons/life-cycle.rules.ts'
import { isScoringField, readScoringConfig, recomputeScore, rescoreLead } from '../scoring/scoring.service.ts'
import type { Params } from './bulk.schemas.ts'

/** A lead as the transaction holds it, if it can still change. */
async function openLead(tx: TenantTx, id: string, field: string): Promise<LeadRow> {
  const lead = await lockLead(tx, id)
  assertNotConverted(lead, [field])
  return lead
}

/** Whether anything changed; and if the rules ask for it, the score. */
async function settle(tx: TenantTx, before: LeadRow, after: LeadRow, now: Date): Promise<boolean> {
  if (after === before) return false
  const config = await readScoringConfig(tx)
  const asked = ['owner_id', 'status', 'lifecycle_stage', 'disqualify_reason'] as const
  const isScored = asked.some((field) => after[field] !== before[field] && isScoringField(config, field))
  if (isScored) await rescoreLead(tx, after.id, { cause: 'changed', now })
  return true
}

const missing = (field: string, what: string) => invalid('body', `/${field}`, 'required', what)

const assign: BulkAction = {
  resource: 'leads',
  name: 'assign',
  takes: ['owner_id', 'distribute_to'],
  async assertParams(tx, { owner_id, distribute_to }: Params) {
    if ((owner_id === undefined) === (distribute_to === undefined))
      throw missing('owner_id', 'Say who gets the leads: owner_id, or distribute_to.')
    await assertAssignable(tx, owner_id)
    const active = await activeUsersAmong(tx, distribute_to ?? [])
    const absent = distribute_to?.findIndex((id) => !active.has(id)) ?? -1
    if (absent >= 0) throw unknownReference(`/distribute_to/${absent}`, 'active user')
  },
  async apply(tx, id, { owner_id = null, distribute_to }: Params, { now }) {
    const lead = await openLead(tx, id, 'owner_id')
    const owner = distribute_to ? await pickOwner(tx, { mode: 'round_robin', owner_ids: distribute_to }, now) : owner_id
    return await settle(tx, lead, await assignLead(tx, lead, owner, now), now)
  },
}

const changeStatus: BulkAction = {
  resource: 'leads',
  name: 'set_status',
  takes: ['status', 'disqualify_reason'],
  async assertParams(_tx, { status, disqualify_reason }: Params) {
    if (!status) throw missing('status', 'Say which status the leads get.')
    assertReason(status, disqualify_reason)
  },
  async apply(tx, id, { status, disqualify_reason }: Params, { now }) {
    const lead = await openLead(tx, id, 'status')
    return await settle(
      tx,
      lead,
      await setStatus(tx, lead, status!, { reason: disqualify_reason, cause: 'user', now }),
      now,
    )
  },
}

const changeStage: BulkAction = {
  resource: 'leads',
  name: 'set_stage',
  takes: ['lifecycle_stage', 'stage_reason'],
  async assertParams(_tx, { lifecycle_stage }: Params) {
    if (!lifecycle_stage) throw missing('lifecycle_stage', 'Say which stage the leads get.')
  },
  async apply(tx, id, { lifecycle_stage, stage_reason }: Params, { now }) {
    const [lead, to] = [await openLead(tx, id, 'lifecycle_stage'), lifecycle_stage!]
    const from = lead.lifecycle_stage
    // Whether a reason is needed depends on the lead, so its absence is the lead's refusal, not one of the call.
    if (isBackward(from, to) && !stage_reason)
      throw conflict('invalid_transition', `Say in stage_reason why the lead goes back from ${from} to ${to}.`)
    assertStageStep(from, to, stage_reason)
    return await settle(tx, lead, await setStage(tx, lead, to, { reason: stage_reason, cause: 'user', now }), now)
  },
}

const recompute: BulkAction = {
  resource: 'leads',
  name: 'recompute',
  takes: [],
  async apply(tx, id, _params, { now }) {
    const { previous, current } = await recomputeScore(tx, id, now)
    return previous.score !== current.score || previous.grade !== current.grade
  },
}

const remove: BulkAction = {
  resource: 'leads',
  name: 'delete',
  takes: [],
  scope: 'leads.delete',
  async apply(tx, id, _params, { actor, now }) {
    await deleteLead(tx, actor, id, { now })
    return true
  },
}

/** What the CRM itself can do to many leads at once. */
export const leadActions: BulkAction[] = [assign, changeStatus, changeStage, recompute, remove]
