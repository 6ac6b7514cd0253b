import { rateLimited } from '#platform/errors'
import type { RateLimiter } from '#platform/limits'

/** The email address may belong to a third party, who must not get many emails. */
const allowances = {
  invitation: {
    bucket: { name: 'resend_invite', limit: 5, windowSeconds: 86_400 },
    describe: (wait: string) => `Too many invitations were sent to this user. Try again in ${wait}.`,
  },
  verification: {
    bucket: { name: 'resend_verification', limit: 3, windowSeconds: 3_600 },
    describe: (wait: string) =>
      `Too many verification emails were sent. Check your spam folder or try again in ${wait}.`,
  },
}

type Recipient = { tenantId: string; userId: string }

export async function consumeResendAllowance(
  limits: RateLimiter,
  email: keyof typeof allowances,
  { tenantId, userId }: Recipient,
): Promise<void> {
  const { bucket, describe } = allowances[email]
  const { allowed, resetSeconds } = await limits.take({ ...bucket, key: `${tenantId}:${userId}` })
  if (!allowed) throw rateLimited(resetSeconds, describe)
}
