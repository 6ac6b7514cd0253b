import { activeUsersAmong } from '#modules/identity'
import { AppError, conflict, invalid, unknownReference } from '#platform/errors'
import type { BulkAction } from '#platform/module'
import { assertAssignable, ownerFields } from '../leads/assignment.service.ts'
import { deleteLead } from '../leads/delete-lead.service.ts'
import { assertStageStep } from '../leads/stage.rules.ts'
import { stageFields } from '../leads/stage.service.ts'
import { assertNotConverted, assertReason, assertStatusStep } from '../leads/status.rules.ts'
import { statusFields } from '../leads/status.service.ts'
import { isBackward } from '../persons/life-cycle.rules.ts'
import { recomputeScore } from '../scoring/scoring.service.ts'
import { announceOwners, announceStages, announceStatuses, recordMany } from './announce-many.service.ts'
import type { Params } from './bulk.schemas.ts'
import { changeMany } from './many-leads.service.ts'
import { openTurns } from './turns.service.ts'

type ToAll = NonNullable<BulkAction['applyToAll']>

/** What is done to many together can be done to one of them, should somebody refuse to do it to all. */
const together = (applyToAll: ToAll): Pick<BulkAction, 'apply' | 'applyToAll'> => ({
  applyToAll,
  async apply(tx, id, params, by) {
    const [verdict] = await applyToAll(tx, [id], params, by)
    if (verdict instanceof AppError) throw verdict
    return verdict!
  },
})

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
  ...together(async (tx, ids, { owner_id = null, distribute_to }: Params, { now }) => {
    const turns = distribute_to && (await openTurns(tx, distribute_to, now))
    return await changeMany(
      tx,
      ids,
      {
        fieldsFor(lead) {
          assertNotConverted(lead, ['owner_id'])
          const owner = turns ? turns.next() : owner_id
          if (owner === lead.owner_id) return undefined
          if (owner) turns?.note(owner)
          return ownerFields(owner, now)
        },
        async announce(changes) {
          await recordMany(tx, 'lead.assigned', changes)
          await announceOwners(tx, changes, now)
        },
      },
      now,
    )
  }),
}

const changeStatus: BulkAction = {
  resource: 'leads',
  name: 'set_status',
  takes: ['status', 'disqualify_reason'],
  async assertParams(_tx, { status, disqualify_reason }: Params) {
    if (!status) throw missing('status', 'Say which status the leads get.')
    assertReason(status, disqualify_reason)
  },
  ...together(async (tx, ids, { status, disqualify_reason: reason }: Params, { now }) => {
    const to = status!
    return await changeMany(
      tx,
      ids,
      {
        fieldsFor(lead) {
          assertNotConverted(lead, ['status'])
          if (lead.status === to) return undefined
          assertStatusStep(lead.status, to)
          assertReason(to, reason)
          return statusFields(lead, to, { reason, cause: 'user', now })
        },
        async announce(changes) {
          await recordMany(tx, 'lead.status_changed', changes)
          await announceStatuses(tx, changes, now)
          const staged = changes.filter(({ before, after }) => after.lifecycle_stage !== before.lifecycle_stage)
          await announceStages(tx, staged, { cause: 'status', now })
        },
      },
      now,
    )
  }),
}

const changeStage: BulkAction = {
  resource: 'leads',
  name: 'set_stage',
  takes: ['lifecycle_stage', 'stage_reason'],
  async assertParams(_tx, { lifecycle_stage }: Params) {
    if (!lifecycle_stage) throw missing('lifecycle_stage', 'Say which stage the leads get.')
  },
  ...together(async (tx, ids, { lifecycle_stage, stage_reason: reason }: Params, { now }) => {
    const to = lifecycle_stage!
    return await changeMany(
      tx,
      ids,
      {
        fieldsFor(lead) {
          assertNotConverted(lead, ['lifecycle_stage'])
          const from = lead.lifecycle_stage
          // Whether a reason is needed depends on the lead, so its absence is the lead's refusal, not one of the call.
          if (isBackward(from, to) && !reason)
            throw conflict('invalid_transition', `Say in stage_reason why the lead goes back from ${from} to ${to}.`)
          assertStageStep(from, to, reason)
          return from === to ? undefined : stageFields(lead, to, now)
        },
        async announce(changes) {
          await recordMany(tx, 'lead.stage_changed', changes, reason)
          await announceStages(tx, changes, { reason, cause: 'user', now })
        },
      },
      now,
    )
  }),
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
