import { type TProperties, Type } from 'typebox'
import { defineEvent } from '#platform/outbox'
import { Id, nullable, strict } from '#platform/schema'

const taskEndData = <T extends TProperties>(extra: T) =>
  strict({
    kind: Type.String({ examples: ['leads.bulk'] }),
    title: Type.String({ examples: ['Update 1,200 leads'] }),
    created_by: nullable(Id),
    resource_type: nullable(Type.String({ examples: ['lead'] })),
    resource_id: nullable(Id),
    ...extra,
  })

export const taskSucceeded = defineEvent('task.succeeded', {
  resource: 'tasks',
  description: 'A background task succeeded',
  data: taskEndData({}),
})
export const taskFailed = defineEvent('task.failed', {
  resource: 'tasks',
  description: 'A background task failed',
  data: taskEndData({ error_code: Type.String({ examples: ['internal_error'] }) }),
})
export const taskCancelled = defineEvent('task.cancelled', {
  resource: 'tasks',
  description: 'A background task was cancelled; completed changes are kept',
  data: taskEndData({}),
})

export const taskEvents = [taskSucceeded, taskFailed, taskCancelled]
