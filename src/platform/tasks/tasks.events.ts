import { type TProperties, Type } from 'typebox'
import { defineEvent } from '#platform/outbox'
import { Id, nullable, strict } from '#platform/schema'

const ended = <T extends TProperties>(more: T) =>
  strict({
    kind: Type.String(),
    title: Type.String(),
    created_by: nullable(Id),
    resource_type: nullable(Type.String()),
    resource_id: nullable(Id),
    ...more,
  })

export const taskSucceeded = defineEvent('task.succeeded', {
  resource: 'tasks',
  description: 'A background task did what it was started for',
  data: ended({}),
})
export const taskFailed = defineEvent('task.failed', {
  resource: 'tasks',
  description: 'A background task was given up',
  data: ended({ error_code: Type.String() }),
})
export const taskCancelled = defineEvent('task.cancelled', {
  resource: 'tasks',
  description: 'A background task was stopped by a person; what was done by then stays',
  data: ended({}),
})

export const taskEvents = [taskSucceeded, taskFailed, taskCancelled]
