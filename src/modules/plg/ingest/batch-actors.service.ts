import { type TenantTx, toSearchText } from '#platform/db'
import { newId } from '#platform/ids'
import { type ActorUpdate, insertActors, listActorsByRefs, type NewActor } from './batch-actors.queries.ts'
import { actorKey, type BatchActor, hasNewTraits, isOutdated, type KnownActor } from './batch-actors.rules.ts'

/** `changedIds` are actors that are new or whose traits change. */
export type ResolvedActors = {
  ids: Map<string, string>
  updates: ActorUpdate[]
  changedIds: Set<string>
  texts: { actor_id: string; search_text: string }[]
}

/** Finds the people and accounts of a batch and creates those that are missing, accounts first. */
export async function resolveActors(tx: TenantTx, actors: ReadonlyMap<string, BatchActor>): Promise<ResolvedActors> {
  const known = new Map<string, KnownActor>()
  const add = (rows: readonly KnownActor[]) => {
    for (const row of rows) known.set(actorKey(row.is_account, row.ref), row)
  }
  add(await listActorsByRefs(tx, [...actors.values()]))
  const changedIds = new Set<string>()
  for (const isAccount of [true, false]) {
    const missing = [...actors].filter(([key, actor]) => actor.is_account === isAccount && !known.has(key))
    if (!missing.length) continue
    const created = await insertActors(
      tx,
      missing.map(([, actor]) => toNewActor(actor, accountIdOf(known, actor))),
    )
    for (const { id } of created) changedIds.add(id)
    add(created)
    const unseen = missing.filter(([key]) => !known.has(key)).map(([, actor]) => actor)
    if (unseen.length) add(await listActorsByRefs(tx, unseen))
  }
  const ids = new Map<string, string>()
  const updates: ActorUpdate[] = []
  const texts: ResolvedActors['texts'] = []
  for (const [key, actor] of actors) {
    const row = known.get(key)!
    ids.set(key, row.id)
    const accountId = accountIdOf(known, actor)
    const isNew = changedIds.has(row.id)
    const isChanged = isNew || hasNewTraits(row, actor, accountId)
    if (isChanged) {
      changedIds.add(row.id)
      // Texts that are searched begin with a space, because short words are found at the beginning of a word.
      const search_text = ` ${toSearchText(row.ref, actor.name ?? row.name, actor.email ?? row.email)}`
      texts.push({ actor_id: row.id, search_text })
    }
    if (!isNew && (isChanged || isOutdated(row, actor))) updates.push({ ...toNewActor(actor, accountId), id: row.id })
  }
  return { ids, updates, changedIds, texts }
}

const accountIdOf = (known: ReadonlyMap<string, KnownActor>, { account_ref }: BatchActor): string | null =>
  account_ref === null ? null : known.get(actorKey(true, account_ref))!.id

const toDate = (time: number | null): Date | null => (time === null ? null : new Date(time))

const toNewActor = (actor: BatchActor, accountId: string | null): NewActor => ({
  id: newId(),
  is_account: actor.is_account,
  ref: actor.ref,
  name: actor.name,
  email: actor.email,
  domain: actor.domain,
  traits_at: toDate(actor.traits_at),
  account_actor_id: accountId,
  account_actor_at: toDate(actor.account_at),
  first_seen_at: new Date(actor.first_at),
  last_seen_at: new Date(actor.last_at),
})
