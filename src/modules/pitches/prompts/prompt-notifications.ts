import { Type } from 'typebox'
import { filterActiveUserIds } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { defineNotification, notify } from '#platform/notify'
import { Id, nullable, strict } from '#platform/schema'

const promptAssigned = defineNotification('pitch.assigned', {
  description: 'a pitch prompt was assigned to you',
  payload: strict({ prompt_id: Id, title: Type.String(), due_on: nullable(Type.String()) }),
  text: ({ prompt_id, title, due_on }) => ({
    title: `Pitch: ${title}`,
    body: due_on === null ? 'Record a pitch for this prompt.' : `Record a pitch for this prompt by ${due_on}.`,
    path: `/pitch/prompts/${prompt_id}`,
  }),
  channels: { in_app: true, email: true },
  canBeDisabled: true,
})

type Assignee = { id: string; user_id: string; due_on: string | null }

/** Notifies each user once per assignment, however often it is called. */
export async function notifyAssignees(
  tx: TenantTx,
  { id, title }: { id: string; title: string },
  assignees: readonly Assignee[],
): Promise<void> {
  const active = await filterActiveUserIds(
    tx,
    assignees.map(({ user_id }) => user_id),
  )
  for (const { id: assignmentId, user_id, due_on } of assignees)
    if (active.has(user_id))
      await notify(
        tx,
        user_id,
        promptAssigned,
        { prompt_id: id, title, due_on },
        { resource: { type: 'pitch_prompt', id }, dedupeKey: `assignment:${assignmentId}` },
      )
}
