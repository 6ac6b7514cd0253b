import { useState } from 'react'
import { bulkUpdateCampaignMembers } from '../../../api/access.gen.ts'
import { startTracking } from '../../../api/tasks.ts'
import { showRepeatableProblem } from '../../../patterns/show-problem.ts'
import { type Me, may, useMe } from '../../../session/me.ts'
import { campaignPeopleTexts as texts } from '../../../texts/en/campaign-people-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import { showToast } from '../../../ui/toast.tsx'
import { type Campaign, refreshCampaigns } from '../campaign-queries.ts'
import { isEditable } from '../campaign-status.ts'
import { labelOfStatus } from './member-list.tsx'
import { describeChange, type MemberResult } from './member-results.ts'
import type { MemberQuery } from './member-search.ts'
import { isTask, readMemberIds, removeMembers, setMemberStatus } from './members-api.ts'

/** Without a status the members are removed. */
export type MemberChange = { status?: string }

/** The members that a change is for: chosen ones, or all that match the filters. */
export type MemberSelection = { ids: readonly string[]; query?: MemberQuery; count: number }

export const mayChangeMembers = (me: Me, campaign: Campaign): boolean =>
  may(me, bulkUpdateCampaignMembers) && isEditable(campaign)

/** Changes members with one request. Of many, the ids are read first, and a task makes the change. */
export function useMemberChanges({ id, member_statuses: statuses }: Campaign, finish: () => void) {
  const { locale } = useMe()
  const [isRunning, setRunning] = useState(false)
  const number = (value: number) => formatNumber(value, locale)

  const report = (change: MemberChange, result: MemberResult, undo?: () => void) => {
    const label = change.status === undefined ? undefined : labelOfStatus(statuses, change.status)
    showToast(describeChange(result, label, number), { action: undo && { label: texts.undo, run: undo } })
  }

  const follow = async (taskId: string, change: MemberChange, count: number) => {
    const label =
      change.status === undefined
        ? texts.tasks.remove(number(count))
        : texts.tasks.status(number(count), labelOfStatus(statuses, change.status))
    const task = await startTracking(taskId, label)
    if (task.state === 'succeeded') report(change, task.result as MemberResult)
    else showToast(task.state === 'cancelled' ? texts.tasks.canceled : texts.tasks.failed, { tone: 'failed' })
    await refreshCampaigns()
  }

  /** `before` is the status of a single member, which can be restored. */
  const run = async (change: MemberChange, selection: MemberSelection, before?: string): Promise<void> => {
    const { query, ids: chosen } = selection
    setRunning(true)
    try {
      const ids = query ? await readMemberIds(id, query) : [...chosen]
      const response =
        change.status === undefined ? await removeMembers(id, ids) : await setMemberStatus(id, ids, change.status)
      finish()
      if (isTask(response)) return void follow(response.task_id, change, ids.length)
      const undo = before === undefined ? undefined : () => void run({ status: before }, selection)
      report(change, response, undo)
      await refreshCampaigns()
    } catch (error) {
      showRepeatableProblem(error, () => void run(change, selection, before))
    } finally {
      setRunning(false)
    }
  }
  return { run, isRunning }
}
