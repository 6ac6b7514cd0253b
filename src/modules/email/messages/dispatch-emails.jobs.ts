import { setTimeout as sleep } from 'node:timers/promises'
import { recordOptOut } from '#modules/crm'
import { secondsLater } from '#platform/clock'
import { mapConcurrently } from '#platform/concurrency'
import { newId } from '#platform/ids'
import { defineJobHandler, type JobContext, type JobHandler } from '#platform/jobs'
import type { RateLimit } from '#platform/limits'
import { MailError } from '#platform/mail'
import type { Services } from '#platform/module'
import { type ClaimedEmail, claimEmails, postponeEmails } from './claim-emails.service.ts'
import { dispatchEmails, enqueueDispatch } from './dispatch-job.ts'
import { emailKindsOf } from './email-kind.ts'
import { findNextDispatch, type SendResult } from './email-messages.queries.ts'
import { expireClaims, storeSendResults } from './email-results.service.ts'
import { nextDispatchAt, toFailedResult } from './send-results.rules.ts'

const sliceMs = 5_000
/** A worker that dies leaves at most this many messages uncertain. */
const batchSize = 10
const connections = 4
const outreachLimit: RateLimit = { name: 'outreach', limit: 10, windowSeconds: 1 }
const deadJobSeconds = 600
const storeAttempts = 20
const bounce = { channel: 'email', reason: 'bounced', source: 'rejected by the mail server' } as const

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
  const batch = { claimId, limit: batchSize }
  const { found, emails, postponed } = await job.inTenant((tx) => claimEmails(tx, services, batch))
  if (emails.length) await sendEmails(services, job, { claimId, emails })
  // After the claimed ones, which would be uncertain if this failed.
  if (postponed.length) await job.inTenant((tx) => postponeEmails(tx, services, postponed, claimId))
  return found
}

type Claimed = { claimId: string; emails: readonly ClaimedEmail[] }

async function sendEmails(services: Services, job: JobContext, { claimId, emails }: Claimed): Promise<void> {
  await waitForAllowance(services, job, emails.length)
  let unavailable: Error | undefined
  const results = await mapConcurrently(emails, connections, async (email): Promise<SendResult> => {
    const { id, attempts, mail } = email
    const message = { id, address: mail.to.address }
    if (job.signal.aborted || unavailable) return { ...message, state: 'waiting' }
    try {
      await services.outreachMailer.send(mail)
      return { ...message, state: 'sent', sent_at: services.clock.now() }
    } catch (error) {
      const failure = error instanceof MailError ? error : undefined
      if (failure?.isServerUnavailable) unavailable = failure
      return { ...message, ...toFailedResult(failure, attempts, services.clock.now()) }
    }
  })
  services.usage.count(job.tenantId, 'emails_sent', results.filter(({ state }) => state === 'sent').length)
  await storeResults(services, job, claimId, results)
  if (unavailable) throw unavailable
  // The job is retried after growing delays, so that a server that breaks connections makes few messages uncertain.
  if (results.some(({ state }) => state === 'uncertain')) throw new Error('The delivery of an email is uncertain.')
}

async function waitForAllowance({ limits }: Services, { tenantId, signal }: JobContext, cost: number): Promise<void> {
  while (!signal.aborted) {
    const { allowed, resetSeconds } = await limits.take({ ...outreachLimit, key: tenantId }, cost)
    if (allowed) return
    await sleep(Math.max(100, resetSeconds * 1_000), undefined, { signal }).catch(() => {})
  }
}

/** Tries for about a minute, because messages without a stored result become uncertain. */
async function storeResults(
  services: Services,
  job: JobContext,
  claimId: string,
  results: readonly SendResult[],
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      for (const { state, address } of results)
        if (state === 'bounced') await job.inTenant((tx) => recordOptOut(tx, services, { email: address, ...bounce }))
      await job.inTenant((tx) => storeSendResults(tx, { id: claimId, now: services.clock.now() }, results))
      return
    } catch (err) {
      if (attempt === storeAttempts) throw err
      job.log.warn({ err }, 'results of sent emails could not be stored yet')
      await sleep(3_000)
    }
  }
}
