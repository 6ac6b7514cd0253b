import { rateLimited } from '#platform/errors'
import type { Allowance, Limits } from '#platform/limits'

const resends: Allowance = { name: 'resend_invite', limit: 5, windowSeconds: 86_400 }

/** Nobody's mailbox is filled by somebody who keeps clicking. */
export async function takeResend(limits: Limits, tenantId: string, userId: string): Promise<void> {
  const { allowed, resetSeconds } = await limits.take({ ...resends, key: `${tenantId}:${userId}` })
  if (!allowed) throw rateLimited(resetSeconds, 'This person was invited often enough for now. Try again later.')
}
