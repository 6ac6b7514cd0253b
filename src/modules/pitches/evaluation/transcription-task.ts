import { TaskRequester } from '#modules/identity'
import { Id, strict } from '#platform/schema'
import { defineTask } from '#platform/tasks'

export const evaluateRecordingTask = defineTask(
  'enablement.evaluate_recording',
  'ai',
  strict({ submission_id: Id, by: TaskRequester }),
)
