import { forbidden } from '#platform/errors'
import type { Actor } from './actor.ts'

const freshLoginSeconds = 15 * 60

/** For changes that a stolen old session must not be able to make. API keys and jobs never pass. */
export function assertFreshLogin({ authenticatedAt }: Pick<Actor, 'authenticatedAt'>, now: Date): void {
  const ageMs = authenticatedAt ? now.getTime() - authenticatedAt.getTime() : Number.POSITIVE_INFINITY
  if (ageMs > freshLoginSeconds * 1_000)
    throw forbidden(
      'reauthentication_required',
      'Confirm your identity with POST /api/auth/reauthenticate, then repeat the request.',
    )
}
