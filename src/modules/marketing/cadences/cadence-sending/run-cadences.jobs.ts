import { retryOnContention, type TenantTx } from '#platform/db'
import { defineFrequentTenantSchedule, type TenantScheduleContext } from '#platform/jobs'
import type { Services } from '#platform/module'
import { exitEnrollments } from '../cadence-records/end-enrollments.service.ts'
import type { OtherOutcome } from '../cadence-runs/claim.rules.ts'
import {
  type DueRun,
  listDueResumes,
  listDueRuns,
  listDueSkips,
  listTenantsWithDueRuns,
} from '../cadence-runs/due-runs.queries.ts'
import { finishRuns } from '../cadence-runs/finish-runs.service.ts'
import { isPausedUntil, pauseWithoutSender, resumeEnrollments } from '../cadence-runs/resume-enrollments.service.ts'
import { createStepTasks, RunChangedError, skipOverdueTasks } from '../cadence-tasks/create-step-tasks.service.ts'
import { claimEmailRuns } from './claim-email-runs.service.ts'

const batchSize = 200

/** Runs the steps that are due: queues emails, writes tasks, skips tasks that were not done in time, and ends pauses. */
export const runCadencesSchedule = (services: Services) =>
  defineFrequentTenantSchedule('marketing.run_cadences', '* * * * *', {
    listTenants: (tx) => listTenantsWithDueRuns(tx, services.clock.now()),
    runForTenant: (context) => runCadences(services, context),
  })

export type RunContextOfTenant = Pick<TenantScheduleContext, 'inTenant' | 'signal'>

export async function runCadences(services: Services, { inTenant, signal }: RunContextOfTenant): Promise<void> {
  const now = () => services.clock.now()
  const work = <T>(step: (tx: TenantTx) => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    return retryOnContention(() => inTenant(step), signal)
  }
  await repeatBatches(
    () => work((tx) => listDueResumes(tx, now(), batchSize)),
    (ids) => work((tx) => resumeEnrollments(tx, ids, { isOver: isPausedUntil(now()), now: now() })),
  )
  await repeatBatches(
    () => work((tx) => listDueSkips(tx, now(), batchSize)),
    (ids) => work((tx) => skipOverdueTasks(tx, ids, now())),
  )
  await repeatBatches(
    () => work((tx) => listDueRuns(tx, now(), batchSize)),
    async (due) => {
      const isEmail = ({ type, has_text }: DueRun) => type === 'email_auto' || has_text
      const idsOf = (runs: readonly DueRun[]) => runs.map(({ id }) => id)
      const emails = idsOf(due.filter(isEmail))
      const tasks = idsOf(due.filter((run) => !isEmail(run)))
      const results = [
        emails.length ? await work((tx) => claimEmailRuns(tx, services, emails)) : undefined,
        tasks.length ? await repeatIfChanged(() => work((tx) => createStepTasks(tx, services, tasks))) : undefined,
      ]
      let changed = 0
      for (const result of results) {
        changed += result?.changed ?? 0
        for (const [, group] of Map.groupBy(result?.others ?? [], ({ decision }) => JSON.stringify(decision)))
          await work((tx) => storeOutcome(tx, group, now()))
      }
      return changed
    },
  )
}

/** Ends when nothing is left, or when the rest is locked by other transactions. */
async function repeatBatches<T>(list: () => Promise<T[]>, change: (batch: T[]) => Promise<number>): Promise<void> {
  for (;;) {
    const batch = await list()
    if (!batch.length || !(await change(batch)) || batch.length < batchSize) return
  }
}

const maxAttempts = 3

/** Tries again with the current state if a run changed while its task was written. */
async function repeatIfChanged<T>(create: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await create()
    } catch (error) {
      if (attempt === maxAttempts || !(error instanceof RunChangedError)) throw error
    }
  }
}

async function storeOutcome(tx: TenantTx, outcomes: readonly OtherOutcome[], now: Date): Promise<void> {
  const { decision } = outcomes[0]!
  const enrollmentIds = outcomes.map(({ enrollmentId }) => enrollmentId)
  if (decision.type === 'exit') await exitEnrollments(tx, enrollmentIds, decision.reason, now)
  else if (decision.type === 'pause') await pauseWithoutSender(tx, enrollmentIds)
  else if (decision.type === 'skip')
    await finishRuns(
      tx,
      outcomes.map(({ runId }) => ({ id: runId, state: 'skipped', skip_reason: decision.reason, at: now })),
    )
}
