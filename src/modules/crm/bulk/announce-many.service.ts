import { recordEach } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { emitEach } from '#platform/outbox'
import { leadAssigned, leadStageChanged, leadStatusChanged } from '../crm.events.ts'
import { isBackward } from '../persons/life-cycle.rules.ts'
import { noteAssignments, noteInTimelines, noteStages } from './many-leads.queries.ts'
import type { Changed } from './many-leads.service.ts'

type Fact = 'lead.assigned' | 'lead.status_changed' | 'lead.stage_changed'

export async function recordMany(tx: TenantTx, fact: Fact, changes: readonly Changed[], reason?: string | null) {
  const entries = changes.map(({ before, after }) => ({ id: before.id, label: before.name, before, after, reason }))
  await recordEach(tx, fact, entries)
}

export async function announceOwners(tx: TenantTx, changes: readonly Changed[], now: Date): Promise<void> {
  const given = changes.flatMap(({ after: { id, owner_id } }) =>
    owner_id === null ? [] : [{ lead_id: id, user_id: owner_id }],
  )
  await noteAssignments(tx, given, now)
  const steps = changes.map(({ before, after }) => ({
    subject: after,
    data: { from: before.owner_id, to: after.owner_id },
  }))
  const notes = steps.map(({ subject, data }) => ({ lead_id: subject.id, meta: data }))
  await noteInTimelines(tx, 'owner_changed', notes, now)
  await emitEach(tx, leadAssigned, steps)
}

export async function announceStatuses(tx: TenantTx, changes: readonly Changed[], now: Date): Promise<void> {
  const steps = changes.map(({ before, after }) => ({
    subject: after,
    data: { from: before.status, to: after.status, reason: after.disqualify_reason },
  }))
  const notes = steps.map(({ subject, data: { from, to, reason } }) => ({
    lead_id: subject.id,
    meta: { from, to, cause: 'user', reason },
  }))
  await noteInTimelines(tx, 'status_changed', notes, now)
  await emitEach(tx, leadStatusChanged, steps)
}

type StageStep = { reason?: string | null; cause: 'user' | 'status'; now: Date }

export async function announceStages(tx: TenantTx, changes: readonly Changed[], step: StageStep): Promise<void> {
  const { reason = null, cause, now } = step
  const steps = changes.map(({ before, after }) => {
    const [from, to] = [before.lifecycle_stage, after.lifecycle_stage]
    return { subject: after, data: { from, to, cause, backward: isBackward(from, to) } }
  })
  const moves = steps.map(({ subject, data: { from, to } }) => ({ lead_id: subject.id, from, to, reason }))
  await noteStages(tx, moves, now)
  const notes = moves.map(({ lead_id, from, to }) => ({ lead_id, meta: { from, to, cause, reason } }))
  await noteInTimelines(tx, 'stage_changed', notes, now)
  await emitEach(tx, leadStageChanged, steps)
}
