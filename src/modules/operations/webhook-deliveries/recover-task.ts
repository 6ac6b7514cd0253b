import { Type } from 'typebox'
import { TaskRequester } from '#modules/identity'
import { Id, strict } from '#platform/schema'
import { defineTask } from '#platform/tasks'

export const recoverDeliveriesTask = defineTask(
  'operations.recover_webhooks',
  'bulk',
  strict({
    endpoint_id: Id,
    since: Type.String(),
    states: Type.Array(Type.Enum(['failed', 'skipped'])),
    requester: TaskRequester,
  }),
)
