import { TaskRequester } from '#modules/identity'
import { Id, strict } from '#platform/schema'
import { defineTask } from '#platform/tasks'

export const exportTask = defineTask(
  'surveys.export',
  'bulk',
  strict({ export_id: Id, survey_id: Id, by: TaskRequester }),
)
