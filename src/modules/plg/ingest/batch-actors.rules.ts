import { isEmailAddress, type SentEvent } from './event.rules.ts'

export type PlacedEvent = SentEvent & { occurred_at: number }

export type BatchActor = {
  is_account: boolean
  ref: string
  first_at: number
  last_at: number
  name: string | null
  email: string | null
  domain: string | null
  traits_at: number | null
  /** Ref of the account of the newest event of a person that has one. */
  account_ref: string | null
  account_at: number | null
}

export const actorKey = (isAccount: boolean, ref: string): string => (isAccount ? `a${ref}` : `p${ref}`)

/** The newest event wins; of events of the same time, the last one in the batch. */
export function collectActors(events: readonly PlacedEvent[]): Map<string, BatchActor> {
  const actors = new Map<string, BatchActor>()
  for (const { user_ref, account_ref, user, account, occurred_at } of events) {
    if (account_ref !== null) addSighting(actors, true, account_ref, occurred_at, account)
    if (user_ref === null) continue
    const person = addSighting(actors, false, user_ref, occurred_at, user)
    if (account_ref !== null && occurred_at >= (person.account_at ?? 0)) {
      person.account_ref = account_ref
      person.account_at = occurred_at
    }
  }
  return actors
}

type Traits = { name?: string; email?: string; domain?: string } | null

function addSighting(
  actors: Map<string, BatchActor>,
  isAccount: boolean,
  ref: string,
  at: number,
  traits: Traits,
): BatchActor {
  const key = actorKey(isAccount, ref)
  let actor = actors.get(key)
  if (!actor) {
    actor = createActor(isAccount, ref, at)
    actors.set(key, actor)
  }
  if (at < actor.first_at) actor.first_at = at
  if (at > actor.last_at) actor.last_at = at
  if (traits && at >= (actor.traits_at ?? 0)) {
    actor.traits_at = at
    actor.name = traits.name ?? actor.name
    actor.email = traits.email ?? actor.email
    actor.domain = traits.domain ?? actor.domain
  }
  return actor
}

/** Many products use the email address as the id of a person. */
const createActor = (is_account: boolean, ref: string, at: number): BatchActor => ({
  is_account,
  ref,
  first_at: at,
  last_at: at,
  name: null,
  email: !is_account && isEmailAddress(ref) ? ref : null,
  domain: null,
  traits_at: null,
  account_ref: null,
  account_at: null,
})

const refreshMs = 300_000

export type KnownActor = {
  id: string
  is_account: boolean
  ref: string
  name: string | null
  email: string | null
  domain: string | null
  traits_at: Date | null
  account_actor_id: string | null
  account_actor_at: Date | null
  first_seen_at: Date
  last_seen_at: Date
}

/** True if traits or the account of the actor change, so that its links must be checked. */
export function hasNewTraits(known: KnownActor, actor: BatchActor, accountId: string | null): boolean {
  const isNewer = actor.traits_at !== null && actor.traits_at >= (known.traits_at?.getTime() ?? 0)
  const differs =
    (actor.name ?? known.name) !== known.name ||
    (actor.email ?? known.email) !== known.email ||
    (actor.domain ?? known.domain) !== known.domain
  return (isNewer && differs) || hasNewAccount(known, actor, accountId)
}

const hasNewAccount = (known: KnownActor, actor: BatchActor, accountId: string | null): boolean =>
  accountId !== null &&
  accountId !== known.account_actor_id &&
  actor.account_at! >= (known.account_actor_at?.getTime() ?? 0)

/** Times are written every five minutes, so that the row of a busy account is not changed by each batch. */
export const isOutdated = (known: KnownActor, { first_at, last_at }: BatchActor): boolean =>
  last_at - known.last_seen_at.getTime() > refreshMs || first_at < known.first_seen_at.getTime()
