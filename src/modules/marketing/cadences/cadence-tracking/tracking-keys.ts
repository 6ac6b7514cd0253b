import { readSecret } from '#modules/identity'
import { setWithEviction } from '#platform/cache'
import { secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { type TrackedKind, type TrackedLink, verifyLink } from './tracking-tokens.rules.ts'

export const trackingKeyName = 'email_tracking_key'

const maxKeys = 10_000
const freshSeconds = 60

export type TrackingKeys = {
  /** False for a token that the workspace did not sign, undefined if its key is not known here or may have been replaced. */
  verify(kind: TrackedKind, token: string, slug: string): TrackedLink | false | undefined
  readLink(tx: TenantTx, kind: TrackedKind, token: string, slug: string): Promise<TrackedLink | undefined>
}

/** Keeps the keys of workspaces in memory, so that wrong links are refused without the database. */
export function createTrackingKeys({ secrets, clock }: Pick<Services, 'secrets' | 'clock'>): TrackingKeys {
  const keys = new Map<string, { key: string; readAt: Date }>()

  function verify(kind: TrackedKind, token: string, slug: string): TrackedLink | false | undefined {
    const known = keys.get(slug)
    if (!known) return undefined
    const link = verifyLink(known.key, kind, token)
    if (link) return link
    return secondsLater(known.readAt, freshSeconds) > clock.now() ? false : undefined
  }

  return {
    verify,
    async readLink(tx, kind, token, slug) {
      const verified = verify(kind, token, slug)
      if (verified !== undefined) return verified || undefined
      const key = await readSecret(tx, secrets, trackingKeyName)
      if (key === null) return undefined
      setWithEviction(keys, slug, { key, readAt: clock.now() }, maxKeys)
      return verifyLink(key, kind, token)
    },
  }
}
