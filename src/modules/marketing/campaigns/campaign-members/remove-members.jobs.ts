import { Type } from 'typebox'
import { runTaskBatches, TaskRequester, toTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import type { JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { defineTask, defineTaskHandler, maxInline, runInlineOrTask, type StartedTask, startTask } from '#platform/tasks'
import { getCampaignRow } from '../campaigns/campaigns.queries.ts'
import { listMemberIdsByStatus } from './list-members.queries.ts'
import {
  addFailures,
  assertKnownStatus,
  assertMembersEditable,
  type Failures,
  noFailures,
  showFailures,
} from './member-status.rules.ts'
import type { MemberRemoval, RemovedMembers } from './members.schemas.ts'
import { assertMayRemove, type RemovalResult, removeMembers } from './remove-members.service.ts'

const RemovalInput = strict({
  campaign_id: Id,
  member_ids: Type.Optional(Type.Array(Id)),
  status: Type.Optional(Type.String()),
  by: TaskRequester,
})
const removalTask = defineTask('marketing.remove_members', 'bulk', RemovalInput)
const batchSize = 500

const toRemovedMembers = ({ removed, not_found }: RemovalResult): RemovedMembers => ({
  removed,
  ...showFailures(addFailures(noFailures, not_found)),
})

/** Removes up to 200 members at once, more in a task. */
export async function removeCampaignMembers(
  tx: TenantTx,
  actor: UserActor,
  campaignId: string,
  { member_ids, status }: MemberRemoval,
): Promise<RemovedMembers | StartedTask> {
  if ((member_ids === undefined) === (status === undefined))
    throw invalid('body', '', 'required', 'Exactly one of `member_ids` and `status` is required.')
  const campaign = await getCampaignRow(tx, campaignId)
  assertMayRemove(actor, campaign)
  assertMembersEditable(campaign)
  if (status !== undefined) assertKnownStatus(campaign, status)
  const selected =
    status === undefined ? member_ids! : await listMemberIdsByStatus(tx, campaignId, status, maxInline + 1)
  const ids = [...new Set(selected)]
  return await runInlineOrTask(ids.length, {
    runInline: async () => toRemovedMembers(await removeMembers(tx, actor, campaignId, ids, { status })),
    startTask() {
      const selection = status === undefined ? { member_ids: ids } : { status }
      const input = { campaign_id: campaignId, ...selection, by: toTaskRequester(actor) }
      return startTask(tx, removalTask, input, {
        title: `Remove members: ${campaign.name}`,
        ...(status === undefined && { total: ids.length }),
        resource: { type: 'campaign', id: campaignId },
      })
    },
  })
}

type Progress = { done: number; removed: number; isComplete: boolean } & Failures

export const removeMembersHandler = (services: Pick<Services, 'db' | 'clock'>): JobHandler =>
  defineTaskHandler<typeof RemovalInput, Progress>(removalTask, async (context, input) => {
    const { campaign_id, member_ids, status, by } = input
    const progress = await runTaskBatches(context, services, {
      requester: by,
      scopes: ['campaigns.write', 'campaigns.delete'],
      start: { done: 0, removed: 0, isComplete: false, ...noFailures },
      isComplete: ({ isComplete }) => isComplete,
      countDone: ({ done }) => done,
      async runBatch(tx, actor, progress) {
        const ids =
          status === undefined
            ? member_ids!.slice(progress.done, progress.done + batchSize)
            : await listMemberIdsByStatus(tx, campaign_id, status, batchSize)
        const result = await removeMembers(tx, actor, campaign_id, ids, { status })
        return {
          done: progress.done + ids.length,
          removed: progress.removed + result.removed,
          isComplete: ids.length < batchSize,
          ...addFailures(progress, status === undefined ? result.not_found : []),
        }
      },
    })
    return { removed: progress.removed, ...showFailures(progress) }
  })
