import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { enumList, Id, listQuery, sortOrder, strict } from '#platform/schema'
import { taskStates } from '#platform/tasks'

export const TaskParams = strict({ task_id: Id })

export const TaskListQuery = listQuery({
  sort: sortOrder(['-created_at', 'created_at']),
  state: Type.Optional(enumList([...taskStates])),
  kind: Type.Optional(Type.String({ minLength: 1, maxLength: 100, examples: ['leads.bulk'] })),
})

export const EventStream = {
  description:
    'Server-sent events until the task ends: `progress` and `done` with a TaskStatus, and `unauthorized` when access is lost.',
  content: { 'text/event-stream': { schema: Type.Unsafe<Readable>({ type: 'string' }) } },
}
