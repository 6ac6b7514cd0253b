import { type Static, Type } from 'typebox'
import { resolveTaskRequester, TaskRequester, toTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { inTenant, retryOnContention, type TenantTx } from '#platform/db'
import type { JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { defineTask, defineTaskHandler, type StartedTask, startTask } from '#platform/tasks'
import { type AddedVia, type AddResult, addPersons } from './add-members.service.ts'
import { addFailures, type Failures, noFailures, showFailures } from './failures.rules.ts'
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
type Progress = Omit<AddResult, 'not_found'> & Failures & { done: number }

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
  ...{ added, already_member },
  ...showFailures(addFailures(noFailures, not_found)),
})

/** The checkpoint is saved in the transaction of its batch, so a retry neither repeats nor skips persons. */
export const addMembersHandler = ({ db, clock }: Pick<Services, 'db' | 'clock'>): JobHandler =>
  defineTaskHandler<typeof AddMembersInput, Progress>(addMembersTask, async (context, input) => {
    const { checkpoint, signal } = context
    const { campaign_id, lead_ids, contact_ids, status, by } = input
    const total = lead_ids.length + contact_ids.length
    let progress: Progress = checkpoint.value ?? { done: 0, added: 0, already_member: 0, ...noFailures }
    context.reportProgress(progress.done, total)

    const resolveActor = () =>
      context
        .inTenant((tx) => resolveTaskRequester(tx, by, { scopes: ['campaigns.write'], now: clock.now() }))
        .catch(context.failWith)
    const addNextBatch = async (tx: TenantTx, actor: UserActor): Promise<Progress> => {
      const { done } = progress
      const leadIds = lead_ids.slice(done, done + batchSize)
      const contactsDone = Math.max(0, done - lead_ids.length)
      const contactIds = contact_ids.slice(contactsDone, contactsDone + batchSize - leadIds.length)
      const options = { status, via: viaOf(actor), now: clock.now() }
      const result = await addPersons(tx, actor, campaign_id, { leadIds, contactIds }, options)
      const next = {
        done: done + leadIds.length + contactIds.length,
        added: progress.added + result.added,
        already_member: progress.already_member + result.already_member,
        ...addFailures(progress, result.not_found),
      }
      await checkpoint.save(tx, next)
      return next
    }
    while (progress.done < total && !(await context.isCancelled())) {
      const actor = await resolveActor()
      if (!actor) break
      const next = await retryOnContention(
        () => inTenant(db, actor, (tx) => addNextBatch(tx, actor), 'job'),
        signal,
      ).catch(context.failWith)
      if (!next) break
      progress = next
      context.reportProgress(progress.done)
    }
    const { added, already_member } = progress
    return { added, already_member, ...showFailures(progress) }
  })

export const viaOf = ({ type }: UserActor): AddedVia => (type === 'api_key' ? 'api' : 'manual')
