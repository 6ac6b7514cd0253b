import { Type } from 'typebox'
import { defineJob, defineJobHandler, enqueue } from '#platform/jobs'
import { subscribe } from '#platform/outbox'
import { Id, strict } from '#platform/schema'
import { taskCancelled, taskFailed } from '#platform/tasks'
import { updateClaimedSubmission } from './evaluation.queries.ts'
import { evaluateRecordingTask } from './transcription-task.ts'

const endEvaluationJob = defineJob(
  'enablement.end_evaluation',
  'events',
  strict({ submission_id: Id, task_id: Id, reason: Type.String() }),
)

/** In the transaction, because the end of a private task is told to no other subscribers. The task is locked then, so a job locks the pitch. */
export const onEvaluationTaskEnded = subscribe(
  [taskFailed, taskCancelled],
  'enablement.end_evaluation',
  async (tx, { type, subject, data: { kind, resource_id } }) => {
    if (kind !== evaluateRecordingTask.kind || resource_id === null) return
    const reason = type === taskCancelled.type ? 'The task was cancelled.' : 'The task failed.'
    await enqueue(tx, endEvaluationJob, { submission_id: resource_id, task_id: subject.id, reason })
  },
  { inTransaction: true },
)

/** Frees the evaluation of a task that was cancelled, or that failed without a result of its own. */
export const endEvaluationHandler = defineJobHandler(
  endEvaluationJob,
  async ({ inTenant }, { submission_id, task_id, reason }) => {
    const ended = { evaluation_state: 'failed', evaluation_error: reason, task_id: null }
    await inTenant((tx) => updateClaimedSubmission(tx, submission_id, { taskId: task_id }, ended))
  },
)
