import { secondsLater } from '#platform/clock'
import { newId } from '#platform/ids'
import { defineJobHandler, type JobContext, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { dispatchEnrichment, enqueueEnrichmentDispatch } from './dispatch-job.ts'
import { claimDueJobs, findNextDispatch, listExpiredJobs, lockClaims } from './job-claims.queries.ts'
import { claimSeconds, maxRunningJobs, nextDispatchAt } from './job-status.rules.ts'
import { expireEnrichmentJob, runEnrichmentJob } from './run-job.flow.ts'

const sliceMs = 5_000
const expiredPerRun = 100
const deadJobSeconds = 600

export const dispatchEnrichmentHandler = (services: Services): JobHandler =>
  defineJobHandler(dispatchEnrichment, (job) => dispatch(services, job), {
    onDeadLetter: (job) =>
      job.inTenant((tx) => enqueueEnrichmentDispatch(tx, secondsLater(services.clock.now(), deadJobSeconds))),
  })

async function dispatch(services: Services, job: JobContext): Promise<void> {
  const claimedBefore = secondsLater(services.clock.now(), -claimSeconds)
  const expired = await job.inTenant((tx) => listExpiredJobs(tx, claimedBefore, expiredPerRun))
  for (const row of expired) await expireEnrichmentJob(services, job, row)
  if (expired.length) job.log.warn({ expired: expired.length }, 'enrichment jobs lost their worker')

  const end = performance.now() + sliceMs
  let found = 0
  do {
    job.signal.throwIfAborted()
    found = await runDueJobs(services, job)
  } while (found > 0 && performance.now() < end)

  const earliest = secondsLater(services.clock.now(), found ? 0 : 1)
  await job.inTenant(async (tx) => {
    const startAfter = nextDispatchAt(await findNextDispatch(tx), earliest)
    if (startAfter) await enqueueEnrichmentDispatch(tx, startAfter)
  })
}

/** Runs due jobs at the same time. One that fails unexpectedly keeps its claim, which expires, and does not stop the others. */
async function runDueJobs(services: Services, job: JobContext): Promise<number> {
  const claim = { claimId: newId(), now: services.clock.now(), maxRunning: maxRunningJobs }
  const claimed = await job.inTenant(async (tx) => {
    await lockClaims(tx)
    return await claimDueJobs(tx, claim)
  })
  const results = await Promise.allSettled(claimed.map((row) => runEnrichmentJob(services, job, row)))
  for (const result of results)
    if (result.status === 'rejected') job.log.error({ err: result.reason }, 'enrichment job failed')
  return claimed.length
}
