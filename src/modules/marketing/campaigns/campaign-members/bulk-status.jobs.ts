import { Type } from 'typebox'
import { runTaskBatches, TaskRequester, toTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { defineTask, defineTaskHandler, runInlineOrTask, type StartedTask, startTask } from '#platform/tasks'
import { getCampaignRow } from '../campaigns/campaigns.queries.ts'
import {
  addFailures,
  assertKnownStatus,
  assertMembersEditable,
  type Failures,
  noFailures,
  showFailures,
} from './member-status.rules.ts'
import { type StatusResult, setMemberStatuses } from './member-status.service.ts'
import type { ChangedMembers, MemberStatusChange } from './members.schemas.ts'

const StatusTaskInput = strict({
  campaign_id: Id,
  member_ids: Type.Array(Id),
  status: Type.String(),
  by: TaskRequester,
})
const statusTask = defineTask('marketing.update_member_status', 'bulk', StatusTaskInput)

type Progress = Omit<StatusResult, 'not_found'> & Failures & { done: number }

const batchSize = 500

const toChangedMembers = ({ updated, unchanged, not_found }: StatusResult): ChangedMembers => ({
  updated,
  unchanged,
  ...showFailures(addFailures(noFailures, not_found)),
})

/** Changes up to 200 members at once, more in a task. */
export async function bulkUpdateCampaignMembers(
  tx: TenantTx,
  actor: UserActor,
  campaignId: string,
  { member_ids, status }: MemberStatusChange,
  { clock }: Pick<Services, 'clock'>,
): Promise<ChangedMembers | StartedTask> {
  const campaign = await getCampaignRow(tx, campaignId)
  assertMembersEditable(campaign)
  assertKnownStatus(campaign, status)
  const ids = [...new Set(member_ids)]
  const now = clock.now()
  return await runInlineOrTask(ids.length, {
    runInline: async () => toChangedMembers(await setMemberStatuses(tx, actor, campaignId, ids, { status, now })),
    startTask() {
      const input = { campaign_id: campaignId, member_ids: ids, status, by: toTaskRequester(actor) }
      const title = `Set the status of ${ids.length} campaign members`
      return startTask(tx, statusTask, input, {
        title,
        total: ids.length,
        resource: { type: 'campaign', id: campaignId },
      })
    },
  })
}

export const updateMemberStatusHandler = (services: Pick<Services, 'db' | 'clock'>): JobHandler =>
  defineTaskHandler<typeof StatusTaskInput, Progress>(statusTask, async (context, input) => {
    const { campaign_id, member_ids, status, by } = input
    const progress = await runTaskBatches(context, services, {
      requester: by,
      scopes: ['campaigns.write'],
      start: { done: 0, updated: 0, unchanged: 0, ...noFailures },
      isComplete: ({ done }) => done === member_ids.length,
      countDone: ({ done }) => done,
      async runBatch(tx, actor, progress) {
        const ids = member_ids.slice(progress.done, progress.done + batchSize)
        const result = await setMemberStatuses(tx, actor, campaign_id, ids, { status, now: services.clock.now() })
        return {
          done: progress.done + ids.length,
          updated: progress.updated + result.updated,
          unchanged: progress.unchanged + result.unchanged,
          ...addFailures(progress, result.not_found),
        }
      },
    })
    const { updated, unchanged } = progress
    return { updated, unchanged, ...showFailures(progress) }
  })
