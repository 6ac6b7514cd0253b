import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { anyOf, Id, listQuery, strict } from '#platform/schema'
import { taskStates } from '#platform/tasks'

export const TaskParams = strict({ task_id: Id })

export const TaskListQuery = listQuery({
  state: Type.Optional(anyOf([...taskStates])),
  kind: Type.Optional(Type.String({ minLength: 1, maxLength: 100, examples: ['leads.bulk'] })),
})

/** What an answer that is no JSON looks like in the description of the API. */
export const EventStream = {
  description: 'Events `progress` and `done` with a TaskStatus, and `unauthorized`, until the task has ended.',
  content: { 'text/event-stream': { schema: Type.Unsafe<Readable>({ type: 'string' }) } },
}
