import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'
import type { KnownActor } from './batch-actors.rules.ts'

type ActorRef = { is_account: boolean; ref: string }

const knownColumns = sql`actor.id, actor.is_account, actor.ref, actor.name, actor.email, actor.domain, actor.traits_at,
  actor.account_actor_id, actor.account_actor_at, actor.first_seen_at, actor.last_seen_at`

export async function listActorsByRefs(tx: TenantTx, refs: readonly ActorRef[]): Promise<KnownActor[]> {
  const { rows } = await sql<KnownActor>`
    select ${knownColumns}
    from unnest(${refs.map(({ is_account }) => is_account)}::boolean[], ${refs.map(({ ref }) => ref)}::text[]) as sent (is_account, ref)
    join plg.actors actor on actor.is_account = sent.is_account and actor.ref = sent.ref collate "C"
  `.execute(tx)
  return rows
}

export type NewActor = {
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

/** Leaves out actors that another transaction has just created. */
export async function insertActors(tx: TenantTx, actors: readonly NewActor[]): Promise<KnownActor[]> {
  const { columns, rows } = selectRows(actors, {
    id: 'uuid',
    is_account: 'boolean',
    ref: 'text',
    name: 'text',
    email: 'text',
    domain: 'text',
    traits_at: 'timestamptz',
    account_actor_id: 'uuid',
    account_actor_at: 'timestamptz',
    first_seen_at: 'timestamptz',
    last_seen_at: 'timestamptz',
  })
  return await tx
    .insertInto('plg.actors')
    .columns(columns)
    .expression(sql`${rows} order by is_account, ref collate "C"` as never)
    .onConflict((conflict) => conflict.constraint('actors_ref_unique').doNothing())
    .returning([...columns])
    .execute()
}

export type ActorUpdate = Omit<NewActor, 'is_account' | 'ref'>

/** Updates the rows in the order of their ids. Values of newer events are kept, whatever the order of the transactions. */
export async function updateActorRows(tx: TenantTx, updates: readonly ActorUpdate[]): Promise<void> {
  if (!updates.length) return
  const { rows } = selectRows(updates, {
    id: 'uuid',
    name: 'text',
    email: 'text',
    domain: 'text',
    traits_at: 'timestamptz',
    account_actor_id: 'uuid',
    account_actor_at: 'timestamptz',
    first_seen_at: 'timestamptz',
    last_seen_at: 'timestamptz',
  })
  await sql`
    with sent as materialized (${rows}),
    locked as materialized (
      select actor.id from plg.actors actor where actor.id = any (array(select id from sent)) and actor.erased_at is null
      order by actor.id for no key update
    )
    update plg.actors actor set
      name = case when sent.traits_at >= coalesce(actor.traits_at, '-infinity') then coalesce(sent.name, actor.name) else actor.name end,
      email = case when sent.traits_at >= coalesce(actor.traits_at, '-infinity') then coalesce(sent.email, actor.email) else actor.email end,
      domain = case when sent.traits_at >= coalesce(actor.traits_at, '-infinity') then coalesce(sent.domain, actor.domain) else actor.domain end,
      traits_at = greatest(actor.traits_at, sent.traits_at),
      account_actor_id = case when sent.account_actor_at >= coalesce(actor.account_actor_at, '-infinity')
        then sent.account_actor_id else actor.account_actor_id end,
      account_actor_at = greatest(actor.account_actor_at, sent.account_actor_at),
      first_seen_at = least(actor.first_seen_at, sent.first_seen_at),
      last_seen_at = greatest(actor.last_seen_at, sent.last_seen_at)
    from sent join locked using (id) where actor.id = sent.id
  `.execute(tx)
}
