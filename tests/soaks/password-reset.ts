import { setTimeout as sleep } from 'node:timers/promises'
import type { MailServer } from './mail-server.ts'
import type { TestWorkspace } from './soak.ts'

/** Returns the seconds until the email of a password reset arrives, or undefined if it does not within the limit. */
export async function measurePasswordReset(
  { person, anonymous }: TestWorkspace,
  { others }: Pick<MailServer, 'others'>,
  maxSeconds: number,
): Promise<number | undefined> {
  const { email } = await person('member')
  const started = performance.now()
  const secondsSince = () => (performance.now() - started) / 1_000
  await anonymous.post('/api/auth/forgot-password', { email })
  while (!others.includes(email) && secondsSince() < maxSeconds) await sleep(5)
  return others.includes(email) ? secondsSince() : undefined
}
