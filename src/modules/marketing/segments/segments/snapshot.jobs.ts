import { Type } from 'typebox'
import { listMatchingIds, parseRecordRule, type RecordRule, readRuleContext } from '#modules/crm'
import { runTaskBatches, TaskRequester, toTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import type { JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import type { RuleInput } from '#platform/rules'
import { Id, strict } from '#platform/schema'
import { defineTask, defineTaskHandler, maxInline, runInlineOrTask, startTask } from '#platform/tasks'
import { markCountsDue } from './member-counts.queries.ts'
import { insertSegmentMembers } from './segment-members.queries.ts'
import { findSegment, type SegmentRow } from './segments.queries.ts'

const SnapshotInput = strict({
  segment_id: Id,
  rules: Type.Unsafe<RuleInput>({ type: 'object' }),
  by: TaskRequester,
})
const snapshotTask = defineTask('segments.snapshot', 'bulk', SnapshotInput)

const batchSize = 500

type SnapshotServices = Pick<Services, 'clock' | 'registry'>
type Snapshot = { segment: SegmentRow; rules: RuleInput; rule: RecordRule }

/** Adds the records that match now to a static segment; more than 200 in a task, whose id is returned. */
export async function takeSnapshot(
  tx: TenantTx,
  actor: UserActor,
  { segment, rules, rule }: Snapshot,
  { clock }: SnapshotServices,
): Promise<string | null> {
  const context = await readRuleContext(tx, clock.now(), actor.userId)
  const ids = await listMatchingIds(tx, rule, context, { after: nilUuid, limit: maxInline + 1 })
  return await runInlineOrTask(ids.length, {
    async runInline() {
      if (ids.length) await insertSegmentMembers(tx, segment, ids, actor.userId)
      return null
    },
    async startTask() {
      const input = { segment_id: segment.id, rules, by: toTaskRequester(actor) }
      const details = { title: `Add members: ${segment.name}`, resource: { type: 'segment', id: segment.id } }
      return (await startTask(tx, snapshotTask, input, details)).task_id
    },
  })
}

type SnapshotProgress = { after: string; members: number; isComplete: boolean }

export const snapshotHandler = (services: SnapshotServices & Pick<Services, 'db'>): JobHandler =>
  defineTaskHandler<typeof SnapshotInput, SnapshotProgress>(
    snapshotTask,
    async (context, { segment_id, rules, by }) => {
      const { members } = await runTaskBatches(context, services, {
        requester: by,
        scopes: ['segments.write'],
        start: { after: nilUuid, members: 0, isComplete: false },
        isComplete: ({ isComplete }) => isComplete,
        countDone: ({ members }) => members,
        async runBatch(tx, { userId }, { after, members: before }) {
          const segment = await findSegment(tx, segment_id)
          if (!segment) return { after, members: before, isComplete: true }
          const rule = await parseRecordRule(tx, segment.object_type, rules, services, { within: [segment_id] })
          const ruleContext = await readRuleContext(tx, services.clock.now(), userId)
          const ids = await listMatchingIds(tx, rule, ruleContext, { after, limit: batchSize })
          const added = ids.length ? await insertSegmentMembers(tx, segment, ids, userId) : 0
          if (added) await markCountsDue(tx, [segment_id])
          return { after: ids.at(-1) ?? after, members: before + added, isComplete: ids.length < batchSize }
        },
      })
      return { members }
    },
  )
