import type { TenantTx } from '#platform/db'
import { conflict, invalid } from '#platform/errors'
import { emitOwnerChanges, startRoundRobin, toOwnerColumns } from '../../people/assignment/assignment.service.ts'
import { recordOptOuts } from '../../people/consent/record-opt-out.service.ts'
import { emitStageChanges, toLeadStageColumns } from '../../people/lead-records/lead-stage.service.ts'
import { emitStatusChanges, toLeadStatusColumns } from '../../people/lead-records/lead-status.service.ts'
import { lockLeads } from '../../people/lead-records/leads.queries.ts'
import {
  assertDisqualifyReason,
  assertLeadStageTransition,
  assertLeadStatusTransition,
  assertNotConverted,
} from '../../people/lead-records/leads.rules.ts'
import { assertMayDeleteLead, recordLeadDeletions } from '../../people/leads/delete-lead.service.ts'
import { lockBeforeRestore, restoreLeads } from '../../people/leads/restore-leads.service.ts'
import { recomputeLeadScores } from '../../people/scoring/rescore-leads.service.ts'
import { isBackward } from '../../records/person-keys/lifecycle.rules.ts'
import { toDeletionColumns } from '../../records/removal/soft-delete.service.ts'
import { requiredParam } from '../bulk/bulk.rules.ts'
import { type BulkAction, type BulkContext, withApplyToAll } from '../bulk/bulk-action.ts'
import { assertOwnerParams } from '../bulk/owner-params.service.ts'
import { defineRemovalActions } from '../bulk/removal-actions.ts'
import { fieldActions } from './field-actions.ts'
import type { BulkParams } from './lead-bulk.schemas.ts'
import { restoreFields, restoreStatus } from './restore-lead-values.service.ts'
import { recordAuditOfMany, updateManyLeads } from './update-many-leads.service.ts'

const assign: BulkAction = {
  name: 'assign',
  takes: ['owner_id', 'distribute_to'],
  assertParams: assertOwnerParams,
  ...withApplyToAll(async (tx, ids, { owner_id = null, distribute_to }: BulkParams, { now }) => {
    const roundRobin = distribute_to && (await startRoundRobin(tx, distribute_to, now))
    return await updateManyLeads(
      tx,
      ids,
      {
        columnsFor(lead) {
          assertNotConverted(lead, ['owner_id'])
          const owner = roundRobin ? roundRobin.nextUserId() : owner_id
          if (owner === lead.owner_id) return undefined
          if (owner) roundRobin?.countAssignment(owner)
          return toOwnerColumns(owner, now)
        },
        async onUpdated(changes) {
          await recordAuditOfMany(tx, 'lead.assigned', changes)
          const ownerChanges = changes.map(({ before, after }) => ({ from: before.owner_id, lead: after }))
          await emitOwnerChanges(tx, ownerChanges, now)
        },
      },
      now,
    )
  }),
  undo: { fields: ['owner_id'], restore: restoreFields },
}

const setStatus: BulkAction = {
  name: 'set_status',
  takes: ['status', 'disqualify_reason'],
  async assertParams(_tx, { status, disqualify_reason }: BulkParams) {
    if (!status) throw requiredParam('status', '`status` is required.')
    assertDisqualifyReason(status, disqualify_reason)
  },
  ...withApplyToAll(async (tx, ids, { status, disqualify_reason: reason }: BulkParams, { now }) => {
    const to = status!
    return await updateManyLeads(
      tx,
      ids,
      {
        columnsFor(lead) {
          assertNotConverted(lead, ['status'])
          if (lead.status === to) return undefined
          assertLeadStatusTransition(lead.status, to)
          assertDisqualifyReason(to, reason)
          return toLeadStatusColumns(lead, to, { reason, cause: 'user', now })
        },
        async onUpdated(changes) {
          await recordAuditOfMany(tx, 'lead.status_changed', changes)
          await emitStatusChanges(tx, changes, { cause: 'user', now })
          const stageChanges = changes.filter(({ before, after }) => after.lifecycle_stage !== before.lifecycle_stage)
          await emitStageChanges(tx, stageChanges, { cause: 'status', now })
        },
      },
      now,
    )
  }),
  undo: { fields: ['status', 'disqualify_reason', 'lifecycle_stage'], restore: restoreStatus },
}

const setStage: BulkAction = {
  name: 'set_stage',
  takes: ['lifecycle_stage', 'stage_reason'],
  async assertParams(_tx, { lifecycle_stage }: BulkParams) {
    if (!lifecycle_stage) throw requiredParam('lifecycle_stage', '`lifecycle_stage` is required.')
  },
  ...withApplyToAll(async (tx, ids, { lifecycle_stage, stage_reason: reason }: BulkParams, { now }) => {
    const to = lifecycle_stage!
    return await updateManyLeads(
      tx,
      ids,
      {
        columnsFor(lead) {
          assertNotConverted(lead, ['lifecycle_stage'])
          const from = lead.lifecycle_stage
          // Whether a reason is required depends on the lead, so its absence fails this lead only.
          if (isBackward(from, to) && !reason)
            throw conflict(
              'invalid_transition',
              `\`stage_reason\` is required to move a lead from ${from} back to ${to}.`,
            )
          assertLeadStageTransition(from, to, reason)
          return from === to ? undefined : toLeadStageColumns(lead, to, now)
        },
        async onUpdated(changes) {
          await recordAuditOfMany(tx, 'lead.stage_changed', changes, reason)
          await emitStageChanges(tx, changes, { reason, cause: 'user', now })
        },
      },
      now,
    )
  }),
  undo: { fields: ['lifecycle_stage'], restore: restoreStatus },
}

const recompute: BulkAction = {
  name: 'recompute',
  takes: [],
  ...withApplyToAll(async (tx, ids, _params, { now }) => {
    const recomputed = await recomputeLeadScores(tx, await lockLeads(tx, ids), now)
    const byId = new Map(recomputed.map((result) => [result.lead_id, result]))
    return ids.map((id) => {
      const { previous, current } = byId.get(id)!
      return previous.score !== current.score || previous.grade !== current.grade
    })
  }),
}

const deleteMany = (tx: TenantTx, ids: readonly string[], { actor, now }: BulkContext) =>
  updateManyLeads(
    tx,
    ids,
    {
      columnsFor(lead) {
        assertMayDeleteLead(actor, lead)
        return toDeletionColumns(actor, now)
      },
      onUpdated: (changes) => recordLeadDeletions(tx, changes),
    },
    now,
  )

const removalActions = defineRemovalActions({
  deleteScope: 'leads.delete',
  deleteAll: deleteMany,
  restoreAll: restoreLeads,
  lockBeforeRestore,
})

const optOut: BulkAction = {
  name: 'opt_out',
  takes: ['source'],
  ...withApplyToAll(async (tx, ids, { source = 'bulk opt-out' }: BulkParams, { services }) => {
    const leads = await lockLeads(tx, ids)
    const emails = leads.flatMap(({ email_key }) => email_key ?? [])
    const optedOut = await recordOptOuts(tx, services, { emails, reason: 'manual', source }, { leads, contacts: [] })
    const emailById = new Map(leads.map(({ id, email_key }) => [id, email_key]))
    return ids.map((id) => {
      const email = emailById.get(id) ?? null
      return email === null
        ? invalid('body', '/lead_ids', 'no_email', 'The lead has no email address.')
        : optedOut.has(email)
    })
  }),
}

export const leadBulkActions: BulkAction[] = [
  assign,
  setStatus,
  setStage,
  ...fieldActions,
  optOut,
  recompute,
  ...removalActions,
]
