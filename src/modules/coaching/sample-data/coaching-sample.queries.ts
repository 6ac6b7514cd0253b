import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'

type SampleMessage = {
  id: string
  session_id: string
  seq: number
  role: string
  text: string
  engine: string | null
  created_at: Date
}

export async function insertSampleMessages(tx: TenantTx, messages: readonly SampleMessage[]): Promise<void> {
  const { columns, rows } = selectRows(messages, {
    id: 'uuid',
    session_id: 'uuid',
    seq: 'integer',
    role: 'text',
    text: 'text',
    engine: 'text',
    created_at: 'timestamptz',
  })
  await tx.insertInto('enablement.roleplay_messages').columns(columns).expression(rows).execute()
}

type SampleIds = { scenarios: readonly string[]; personas: readonly string[]; sessions: readonly string[] }

/** Returns personas that other scenarios use; they stay. */
export async function deleteSampleCoaching(
  tx: TenantTx,
  { scenarios, personas, sessions }: SampleIds,
): Promise<string[]> {
  const lockRows = (table: string, ids: readonly string[]) =>
    sql`select id from ${sql.table(table)} where id = any (${ids}::uuid[]) order by id for update`.execute(tx)
  await lockRows('enablement.coaching_scenarios', scenarios)
  await lockRows('enablement.coaching_personas', personas)
  await lockRows('enablement.coaching_sessions', sessions)
  await sql`delete from enablement.coaching_sessions where id = any (${sessions}::uuid[])`.execute(tx)
  await sql`delete from enablement.coaching_scenarios where id = any (${scenarios}::uuid[])`.execute(tx)
  await sql`
    delete from enablement.coaching_personas as persona where id = any (${personas}::uuid[])
      and not exists (select from enablement.coaching_scenarios where persona_id = persona.id)
  `.execute(tx)
  const { rows } = await sql<{ id: string }>`
    select id from enablement.coaching_personas where id = any (${personas}::uuid[])
  `.execute(tx)
  return rows.map(({ id }) => id)
}
