import type { SignedIn } from '#platform/access'
import { rateLimited } from '#platform/errors'
import type { Allowance, Limits } from '#platform/limits'

const resends: Allowance = { name: 'resend_verification', limit: 3, windowSeconds: 3_600 }

/** The address may be somebody else's: their mailbox is not filled by whoever typed it. */
export async function takeVerification(limits: Limits, { tenantId, userId }: SignedIn): Promise<void> {
  const { allowed, resetSeconds } = await limits.take({ ...resends, key: `${tenantId}:${userId}` })
  if (!allowed) throw rateLimited(resetSeconds, 'The link was sent often enough for now. Look into your spam folder.')
}
