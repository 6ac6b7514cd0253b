import { retryOnContention } from '#platform/db'
import { defineFrequentTenantSchedule, type TenantScheduleContext } from '#platform/jobs'
import type { Services } from '#platform/module'
import { linkActors } from '../links/link-actors.service.ts'
import { logUsageDays } from '../links/log-usage.service.ts'
import { deleteMarks, listMarks, listTenantsWithMarks } from '../links/marks.queries.ts'
import { applyEffects } from '../qualifications/apply-effects.service.ts'
import { evaluateActors } from '../qualifications/evaluate.service.ts'
import { listDueEffects, postponeFailedEffects } from '../qualifications/qualifications.queries.ts'
import { findState } from '../states/states.queries.ts'

const [marksPerBatch, effectsPerBatch, effectSeconds] = [500, 100, 50]

type MarkServices = Pick<Services, 'clock' | 'secrets' | 'registry'>
type Context = Pick<TenantScheduleContext, 'inTenant' | 'signal' | 'log'>

/** Links marked actors, logs their days and evaluates the rules. Marks are deleted last, so that a crash repeats the steps. */
export const processMarksSchedule = (services: MarkServices) =>
  defineFrequentTenantSchedule('plg.process_marks', '* * * * *', {
    listTenants: listTenantsWithMarks,
    async runForTenant(context) {
      do context.signal.throwIfAborted()
      while (await processMarkedBatch(context, services))
      await applyDueEffects(context, services)
    },
  })

async function processMarkedBatch({ inTenant, signal }: Context, services: MarkServices): Promise<boolean> {
  const now = services.clock.now()
  const { marks, timezone } = await inTenant(async (tx) => {
    const [found, state] = await Promise.all([listMarks(tx, marksPerBatch), findState(tx)])
    return { marks: found, timezone: state?.timezone ?? 'UTC' }
  })
  if (!marks.length) return false
  const actorIds = [...new Set(marks.map(({ actor_id }) => actor_id))]
  await retryOnContention(() => inTenant((tx) => linkActors(tx, actorIds)), signal)
  await retryOnContention(() => inTenant((tx) => logUsageDays(tx, marks, { timezone, now })), signal)
  await retryOnContention(
    () =>
      inTenant(async (tx) => {
        await evaluateActors(tx, actorIds, now, services)
        await deleteMarks(tx, marks)
      }),
    signal,
  )
  return true
}

/**
 * One transaction per qualification, because each locks the records of one person. The next run continues after 50 seconds, so that
 * new marks do not wait. A failed one is tried again later.
 */
async function applyDueEffects({ inTenant, signal, log }: Context, services: MarkServices): Promise<void> {
  const endsAt = performance.now() + effectSeconds * 1_000
  for (;;) {
    const ids = await inTenant((tx) => listDueEffects(tx, services.clock.now(), effectsPerBatch))
    if (!ids.length) return
    for (const id of ids) {
      signal.throwIfAborted()
      if (performance.now() > endsAt) return
      try {
        await retryOnContention(() => inTenant((tx) => applyEffects(tx, id, services)), signal)
      } catch (error) {
        log.error({ err: error, qualification_id: id }, 'effects of a qualification failed')
        await inTenant((tx) => postponeFailedEffects(tx, id, services.clock.now()))
      }
    }
  }
}
