import { nilUuid } from '#platform/ids'
import { defineJob, defineJobHandler, enqueue } from '#platform/jobs'
import { subscribe } from '#platform/outbox'
import { Id, strict } from '#platform/schema'
import { promptActivated, promptAssigned } from '../pitches.events.ts'
import { listAssigneesAfter } from './assignments.queries.ts'
import { notifyAssignees } from './prompt-notifications.ts'
import { findPrompt } from './prompts.queries.ts'

const batchSize = 100

const notifyAssigneesJob = defineJob('enablement.notify_assignees', 'events', strict({ prompt_id: Id }))

/** Sample data notifies no users. */
export const onPromptAssigned = subscribe(
  [promptAssigned, promptActivated],
  'enablement.notify_assignees',
  async (tx, { subject, origin }) => {
    if (origin !== 'sample') await enqueue(tx, notifyAssigneesJob, { prompt_id: subject.id })
  },
)

export const notifyAssigneesHandler = defineJobHandler(
  notifyAssigneesJob,
  async ({ inTenant, signal }, { prompt_id }) => {
    const notifyBatch = (after: string) =>
      inTenant(async (tx) => {
        const prompt = await findPrompt(tx, prompt_id)
        if (prompt?.status !== 'active') return undefined
        const assignees = await listAssigneesAfter(tx, prompt_id, after, batchSize)
        await notifyAssignees(tx, prompt, assignees)
        return assignees.length === batchSize ? assignees.at(-1)?.user_id : undefined
      })
    for (let after: string | undefined = nilUuid; after !== undefined; after = await notifyBatch(after))
      signal.throwIfAborted()
  },
)
