import { setTimeout as sleep } from 'node:timers/promises'
import { secondsLater } from '#platform/clock'
import { mapConcurrently } from '#platform/concurrency'
import { newId } from '#platform/ids'
import { defineJobHandler, type JobContext, type JobHandler } from '#platform/jobs'
import { buckets } from '#platform/limits'
import { MailError } from '#platform/mail'
import type { Services } from '#platform/module'
import { type ClaimedEmail, claimEmails } from './claim-emails.service.ts'
import { dispatchEmails, enqueueDispatch } from './dispatch-job.ts'
import { emailKindsOf } from './email-kind.ts'
import { findNextDispatch, type SendResult } from './email-messages.queries.ts'
import { expireClaims, storeSendResults } from './email-results.service.ts'
import { nextDispatchAt, toFailedResult } from './send-results.rules.ts'

const sliceMs = 5_000
/** A worker that dies leaves at most this many messages uncertain. */
const batchSize = 10
const connections = 4
const deadJobSeconds = 600
const storeAttempts = 20

export const dispatchEmailsHandler = (services: Services): JobHandler =>
  defineJobHandler(dispatchEmails, (job) => dispatch(services, job), {
    onDeadLetter: (job) =>
      job.inTenant((tx) => enqueueDispatch(tx, secondsLater(services.clock.now(), deadJobSeconds))),
  })

async function dispatch(services: Services, job: JobContext): Promise<void> {
  const expired = await job.inTenant((tx) => expireClaims(tx, services.clock.now()))
  if (expired) job.log.warn({ expired }, 'the delivery of emails is uncertain')

  const end = performance.now() + sliceMs
  let found = 0
  do {
    job.signal.throwIfAborted()
    found = await dispatchBatch(services, job)
  } while (found > 0 && performance.now() < end)

  const earliest = secondsLater(services.clock.now(), found ? 0 : 1)
  await job.inTenant(async (tx) => {
    const next = await findNextDispatch(tx, [...emailKindsOf(services).keys()])
    const startAfter = nextDispatchAt(next, earliest)
    if (startAfter) await enqueueDispatch(tx, startAfter)
  })
}

async function dispatchBatch(services: Services, job: JobContext): Promise<number> {
  const claimId = newId()
  const { found, emails } = await job.inTenant((tx) => claimEmails(tx, services, { claimId, limit: batchSize }))
  if (!emails.length) return found

  await waitForAllowance(services, job, emails.length)
  let unavailable: unknown
  const results = await mapConcurrently(emails, connections, async (email): Promise<SendResult> => {
    if (job.signal.aborted || unavailable) return { id: email.id, state: 'waiting' }
    try {
      return await sendEmail(services, email)
    } catch (error) {
      if (error instanceof MailError && error.isServerUnavailable) unavailable = error
      return { id: email.id, ...toFailedResult(error, email.attempts, services.clock.now()) }
    }
  })
  await storeResults(job, claimId, results)
  if (unavailable) throw unavailable
  return found
}

async function sendEmail({ outreachMailer, clock }: Services, { id, mail }: ClaimedEmail): Promise<SendResult> {
  await outreachMailer.send(mail)
  return { id, state: 'sent', sent_at: clock.now() }
}

async function waitForAllowance({ limits }: Services, { tenantId, signal }: JobContext, cost: number): Promise<void> {
  while (!signal.aborted) {
    const { allowed, resetSeconds } = await limits.take({ ...buckets.outreach, key: tenantId }, cost)
    if (allowed) return
    await sleep(Math.max(100, resetSeconds * 1_000), undefined, { signal }).catch(() => {})
  }
}

/** Tries for about a minute, because messages without a stored result become uncertain. */
async function storeResults(job: JobContext, claimId: string, results: readonly SendResult[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await job.inTenant((tx) => storeSendResults(tx, claimId, results))
      return
    } catch (err) {
      if (attempt === storeAttempts) throw err
      job.log.warn({ err }, 'results of sent emails could not be stored yet')
      await sleep(3_000)
    }
  }
}
