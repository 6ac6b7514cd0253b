import { randomInt } from 'node:crypto'
import { countEvent, throttle } from '#modules/identity'
import { secondsLater } from '#platform/clock'
import { type TenantTx, tenantIdOf } from '#platform/db'
import { rateLimited } from '#platform/errors'
import { newId } from '#platform/ids'
import { enqueue } from '#platform/jobs'
import { areSecretsEqual } from '#platform/secrets'
import { isLive, mayEnter } from '../links/gate.rules.ts'
import type { LinkRow } from '../links/links.queries.ts'
import { countCodeAttempt, deleteCode, upsertCode } from '../visit-records/codes.queries.ts'
import type { VisitTokens } from '../visit-records/visit-tokens.ts'
import { sendCodeJob } from './send-code-job.ts'

export const codeSeconds = 600
const maxAttempts = 5
const hour = 3_600

type CodeRequest = { link: LinkRow; email: string; now: Date }

/** Does the same for every email address. The job decides who gets a code, so that the response does not reveal it. */
export async function requestCode(tx: TenantTx, { link, email, now }: CodeRequest): Promise<void> {
  const perAddress = throttle([tenantIdOf(tx), 'room_code', link.id, email.toLowerCase()], 3, hour)
  const { retryAfterSeconds } = await countEvent(tx, perAddress, now)
  if (retryAfterSeconds !== null)
    throw rateLimited(retryAfterSeconds, (wait) => `Too many codes were requested. Try again in ${wait}.`)
  await enqueue(tx, sendCodeJob, { link_id: link.id, email, request_id: newId() })
}

/** Returns undefined if the email address gets no code. */
export async function createCode(
  tx: TenantTx,
  tokens: VisitTokens,
  { link, email, now }: CodeRequest,
): Promise<string | undefined> {
  if (!isLive(link, now) || !mayEnter(link, email)) return undefined
  const [tenantId, emailKey] = [tenantIdOf(tx), email.toLowerCase()]
  const perLink = await countEvent(tx, throttle([tenantId, 'room_codes', link.id], 20, hour), now)
  if (perLink.retryAfterSeconds !== null) return undefined
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await upsertCode(tx, {
    link_id: link.id,
    email_key: emailKey,
    code_hash: tokens.hashCode({ tenantId, linkId: link.id, emailKey, code }),
    expires_at: secondsLater(now, codeSeconds),
  })
  return code
}

/** A code works once, for ten minutes, and not after five attempts. */
export async function isCodeCorrect(
  tx: TenantTx,
  tokens: VisitTokens,
  { link, email, code, now }: CodeRequest & { code: string },
): Promise<boolean> {
  const emailKey = email.toLowerCase()
  const stored = await countCodeAttempt(tx, link.id, emailKey)
  const given = tokens.hashCode({ tenantId: tenantIdOf(tx), linkId: link.id, emailKey, code })
  const isCorrect =
    stored !== undefined &&
    stored.attempts <= maxAttempts &&
    stored.expires_at > now &&
    areSecretsEqual(stored.code_hash, given)
  if (isCorrect) await deleteCode(tx, link.id, emailKey)
  return isCorrect && mayEnter(link, email)
}
