import { type Static, Type } from 'typebox'
import { runTaskBatches, TaskRequester, toTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { defineTask, defineTaskHandler, type StartedTask, startTask } from '#platform/tasks'
import { type AddedVia, type AddResult, addPersons } from './add-members.service.ts'
import { addFailures, type Failures, noFailures, showFailures } from './member-status.rules.ts'
import type { AddedMembers } from './members.schemas.ts'

const AddMembersInput = strict({
  campaign_id: Id,
  lead_ids: Type.Array(Id),
  contact_ids: Type.Array(Id),
  status: Type.Optional(Type.String()),
  by: TaskRequester,
})
const addMembersTask = defineTask('marketing.add_members', 'bulk', AddMembersInput)

const batchSize = 500

type AddMembersTask = Omit<Static<typeof AddMembersInput>, 'by'>
type Progress = Pick<AddResult, 'added' | 'already_member'> & Failures & { done: number }

export function startAddingMembers(tx: TenantTx, actor: UserActor, task: AddMembersTask): Promise<StartedTask> {
  const total = task.lead_ids.length + task.contact_ids.length
  return startTask(
    tx,
    addMembersTask,
    { ...task, by: toTaskRequester(actor) },
    { title: `Add ${total} members to a campaign`, total, resource: { type: 'campaign', id: task.campaign_id } },
  )
}

export const toAddedMembers = ({ added, already_member, not_found }: AddResult): AddedMembers => ({
  added,
  already_member,
  ...showFailures(addFailures(noFailures, not_found)),
})

export const addMembersHandler = (services: Pick<Services, 'db' | 'clock'>): JobHandler =>
  defineTaskHandler<typeof AddMembersInput, Progress>(addMembersTask, async (context, input) => {
    const { campaign_id, lead_ids, contact_ids, status, by } = input
    const total = lead_ids.length + contact_ids.length
    const progress = await runTaskBatches(context, services, {
      requester: by,
      scopes: ['campaigns.write'],
      start: { done: 0, added: 0, already_member: 0, ...noFailures },
      isComplete: ({ done }) => done === total,
      countDone: ({ done }) => done,
      async runBatch(tx, actor, progress) {
        const { done } = progress
        const leadIds = lead_ids.slice(done, done + batchSize)
        const contactsDone = Math.max(0, done - lead_ids.length)
        const contactIds = contact_ids.slice(contactsDone, contactsDone + batchSize - leadIds.length)
        const options = { status, via: viaOf(actor), now: services.clock.now() }
        const result = await addPersons(tx, actor, campaign_id, { leadIds, contactIds }, options)
        return {
          done: done + leadIds.length + contactIds.length,
          added: progress.added + result.added,
          already_member: progress.already_member + result.already_member,
          ...addFailures(progress, result.not_found),
        }
      },
    })
    const { added, already_member } = progress
    return { added, already_member, ...showFailures(progress) }
  })

export const viaOf = ({ type }: UserActor): AddedVia => (type === 'api_key' ? 'api' : 'manual')
