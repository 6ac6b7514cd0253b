import { subscribe } from '#platform/outbox'
import { taskCancelled, taskFailed } from '#platform/tasks'
import { updateClaimedSubmission } from './evaluation.queries.ts'
import { evaluateRecordingTask } from './transcription-task.ts'

/** Frees the evaluation of a task that was cancelled, or that failed without a result of its own. */
export const onEvaluationTaskEnded = subscribe(
  [taskFailed, taskCancelled],
  'enablement.end_evaluation',
  async (tx, { type, subject, data: { kind, resource_id } }) => {
    if (kind !== evaluateRecordingTask.kind || resource_id === null) return
    const reason = type === taskCancelled.type ? 'The task was cancelled.' : 'The task failed.'
    await updateClaimedSubmission(
      tx,
      resource_id,
      { taskId: subject.id },
      {
        evaluation_state: 'failed',
        evaluation_error: reason,
        task_id: null,
      },
    )
  },
)
