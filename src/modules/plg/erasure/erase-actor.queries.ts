import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** The ref becomes a random one, so that later events with the old ref belong to another actor. */
export async function eraseActorRow(tx: TenantTx, id: string, now: Date): Promise<void> {
  await sql`
    update plg.actors set ref = 'erased:' || gen_random_uuid(), name = null, email = null, domain = null, traits_at = null,
      contact_id = null, lead_id = null, account_id = null, link_method = null, link_locked = true, erased_at = ${now}
    where id = ${id}::uuid
  `.execute(tx)
}

export async function deleteActorText(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('plg.actor_texts').where('actor_id', '=', id).execute()
}

export type ErasableActor = { id: string; is_account: boolean; ref: string }

type Person = { emailKeys: readonly string[]; contactIds: readonly string[]; leadIds: readonly string[] }

/** People who have an address of the person, or a link to a record of the person. */
export async function listActorsOfPerson(tx: TenantTx, person: Person, limit: number): Promise<ErasableActor[]> {
  const { rows } = await sql<ErasableActor>`
    select id, is_account, ref from plg.actors where erased_at is null and id = any (array(
      select id from plg.actors where email_key = any (${person.emailKeys}::text[])
      union select id from plg.actors where is_account = false and ref = any (${person.emailKeys}::text[])
      union select id from plg.actors where contact_id = any (${person.contactIds}::uuid[])
      union select id from plg.actors where lead_id = any (${person.leadIds}::uuid[])))
    order by id limit ${limit}
  `.execute(tx)
  return rows
}
