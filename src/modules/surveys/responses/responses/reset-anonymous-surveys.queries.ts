import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/**
 * Open anonymous surveys of an archive begin again without responses, because archives have none: results with them and those of the
 * survey that the archive was written from could be subtracted. Results of archives of earlier versions are reduced to what may be shown.
 */
export async function resetAnonymousSurveys(tx: TenantTx, schemaVersion: string): Promise<void> {
  const open = await tx
    .selectFrom('surveys.surveys')
    .select('id')
    .where('anonymous', '=', true)
    .where('status', '<>', 'closed')
    .execute()
  const isOpen = sql`survey_id = any (${open.map(({ id }) => id)}::uuid[])`
  await sql`select survey_id from surveys.counters where ${isOpen} order by survey_id for no key update`.execute(tx)
  await sql`
    update surveys.counters set started = 0, completed_invited = 0, completed_link = 0, unreleased = 0, released_link = 0,
      score_counts = array_fill(0, array[11])
    where ${isOpen}
  `.execute(tx)
  if (schemaVersion >= '0430_surveys_anonymity') return
  for (const table of ['responses', 'answer_stats', 'score_stats'])
    await sql`delete from ${sql.table(`surveys.${table}`)} where ${isOpen}`.execute(tx)
  await sql`select surveys.reduce_anonymous_results()`.execute(tx)
}
