import type { FastifyRequest } from 'fastify'
import type { UserActor } from '#platform/access'
import { type Db, inTenant } from '#platform/db'
import { AppError } from '#platform/errors'
import { type Credential, type RequestAuthenticator, readCredential } from '#platform/http'
import { getTask } from '#platform/tasks'

type Services = { db: Db; authenticator: RequestAuthenticator }

export type StreamAuthorization = {
  /** Returns false once the caller may no longer see the task; rejects if that cannot be determined. */
  isStillValid(): Promise<boolean>
  /** Expiry of the credential, which needs an extra check; null if it does not expire. */
  readonly expiresAt: Date | null
}

/** Checks the caller's credential again while a stream is open, because a stream outlives the check of its request. */
export function createStreamAuthorization(
  { db, authenticator }: Services,
  request: FastifyRequest,
  taskId: string,
): StreamAuthorization {
  const { tenant, actor } = request
  const credential = readCredential(request.headers.authorization)

  async function authenticateAgain(): Promise<UserActor | null> {
    const { actor: current, restriction } = await authenticator.authenticate({
      slug: tenant.slug,
      credential,
      trace: actor.trace!,
      isKnown: true,
    })
    return restriction || !current?.scopes.has('tasks.read') ? null : current
  }

  return {
    expiresAt: expiryOf(credential),
    async isStillValid() {
      try {
        const current = await authenticateAgain()
        if (!current) return false
        await inTenant(db, current, (tx) => getTask(tx, current, taskId))
        return true
      } catch (error) {
        if (error instanceof AppError && error.status < 500) return false
        throw error
      }
    },
  }
}

/** Reads `exp` without verifying the token: the authenticator has verified it, and the value only schedules the next check. */
function expiryOf(credential: Credential | null): Date | null {
  if (credential?.kind !== 'session') return null
  const [, claims = ''] = credential.token.split('.')
  const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp?: unknown }
  return typeof exp === 'number' ? new Date(exp * 1_000) : null
}
