import { TaskRequester, toTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { Id, strict } from '#platform/schema'
import { defineTask, type StartedTask, startTask } from '#platform/tasks'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'

export const DistributeInput = strict({ distribution_id: Id, by: TaskRequester })
export const distributeTask = defineTask('surveys.distribute', 'bulk', DistributeInput)

type NewTask = { survey: Pick<SurveyRow, 'id' | 'name'>; distributionId: string; total: number }

export const startDistributing = (
  tx: TenantTx,
  actor: UserActor,
  { survey, distributionId, total }: NewTask,
): Promise<StartedTask> =>
  startTask(
    tx,
    distributeTask,
    { distribution_id: distributionId, by: toTaskRequester(actor) },
    { title: `Send the survey "${survey.name}"`, total, resource: { type: 'survey', id: survey.id } },
  )
