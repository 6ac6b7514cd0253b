import type { FastifyRequest } from 'fastify'
import type { SignedIn } from '#platform/access'
import { type Db, inTenant } from '#platform/db'
import { AppError } from '#platform/errors'
import { type Credential, type Gatekeeper, readCredential } from '#platform/http'
import { getTask } from '#platform/tasks'

type Services = { db: Db; gatekeeper: Gatekeeper }

export type WatchPermit = {
  /** False once the caller may no longer see the task. Rejects when nobody can tell. */
  isStillGood(): Promise<boolean>
  /** When a look before its turn is due; null for a credential without an end. */
  readonly endsAt: Date | null
}

/** A stream outlives the check at its start: the gatekeeper is asked again, with the same credential. */
export function watchPermit({ db, gatekeeper }: Services, request: FastifyRequest, taskId: string): WatchPermit {
  const { tenant, actor } = request
  const credential = readCredential(request.headers.authorization)

  async function admitAgain(): Promise<SignedIn | null> {
    const arrival = { slug: tenant.slug, credential, trace: actor.trace! }
    const { actor: admitted, restriction } = await gatekeeper.admit(arrival)
    return restriction || !admitted?.scopes.has('tasks.read') ? null : admitted
  }

  return {
    endsAt: endOf(credential),
    async isStillGood() {
      try {
        const admitted = await admitAgain()
        if (!admitted) return false
        await inTenant(db, admitted, (tx) => getTask(tx, admitted, taskId))
        return true
      } catch (error) {
        if (error instanceof AppError && error.status < 500) return false
        throw error
      }
    },
  }
}

/** The gate has verified the token; its end only tells when to ask the gatekeeper, who decides. */
function endOf(credential: Credential | null): Date | null {
  if (credential?.kind !== 'session') return null
  const [, claims = ''] = credential.token.split('.')
  const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp?: unknown }
  return typeof exp === 'number' ? new Date(exp * 1_000) : null
}
