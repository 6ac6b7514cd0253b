import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { CreditedTouch, Membership } from './attribution.rules.ts'

type PersonIdLists = { leadIds: readonly string[]; contactIds: readonly string[] }

export async function listMemberships(tx: TenantTx, { leadIds, contactIds }: PersonIdLists): Promise<Membership[]> {
  const columns = sql`id, campaign_id, lead_id, contact_id, first_touched_at, responded_at`
  const memberships = sql<Membership>`(
    select ${columns} from marketing.campaign_members where lead_id = any (${leadIds}::uuid[])
    union
    select ${columns} from marketing.campaign_members where contact_id = any (${contactIds}::uuid[]))`
  return await tx
    .selectFrom(memberships.as('member'))
    .select(['member.campaign_id', 'member.lead_id', 'member.contact_id'])
    .select(['member.first_touched_at', 'member.responded_at'])
    .execute()
}

export type StoredTouch = {
  opportunity_id: string
  campaign_id: string
  touch_at: Date
  position: number
  frozen: boolean
}

export function listTouches(tx: TenantTx, opportunityIds: readonly string[]): Promise<StoredTouch[]> {
  return tx
    .selectFrom('marketing.opportunity_touches')
    .select(['opportunity_id', 'campaign_id', 'touch_at', 'position', 'frozen'])
    .where('opportunity_id', '=', sql<string>`any(${opportunityIds}::uuid[])`)
    .orderBy('opportunity_id')
    .orderBy('position')
    .execute()
}

export type NewTouch = CreditedTouch & {
  opportunity_id: string
  kind: 'open' | 'won' | 'lost'
  amount_base_minor: number
  frozen: boolean
  is_hidden: boolean
}

/** Replaces the touches of these deals; those that stay keep their id. */
export async function replaceTouches(
  tx: TenantTx,
  opportunityIds: readonly string[],
  touches: readonly NewTouch[],
): Promise<void> {
  await sql`
    delete from marketing.opportunity_touches touch where touch.opportunity_id = any (${opportunityIds}::uuid[])
      and not exists (
        select from unnest(${touches.map(({ opportunity_id }) => opportunity_id)}::uuid[],
          ${touches.map(({ campaign_id }) => campaign_id)}::uuid[]) as kept (opportunity_id, campaign_id)
        where kept.opportunity_id = touch.opportunity_id and kept.campaign_id = touch.campaign_id)
  `.execute(tx)
  if (!touches.length) return
  const { columns, rows } = selectRows(
    touches.map((touch) => ({ id: newId(), ...touch })),
    {
      id: 'uuid',
      opportunity_id: 'uuid',
      campaign_id: 'uuid',
      touch_at: 'timestamptz',
      position: 'integer',
      of: 'integer',
      kind: 'text',
      amount_base_minor: 'bigint',
      first_minor: 'bigint',
      last_minor: 'bigint',
      linear_minor: 'bigint',
      frozen: 'boolean',
      is_hidden: 'boolean',
    } as const,
  )
  const changed = columns.filter((column) => !['id', 'opportunity_id', 'campaign_id'].includes(column))
  await tx
    .insertInto('marketing.opportunity_touches')
    .columns(columns)
    .expression(rows)
    .onConflict((conflict) =>
      conflict
        .constraint('opportunity_touches_unique')
        .doUpdateSet(Object.fromEntries(changed.map((column) => [column, sql`excluded.${sql.ref(column)}`]))),
    )
    .execute()
}

/** Open deals with touches, whose shares follow exchange rates. */
export async function listOpenAttributedDeals(tx: TenantTx, after: string, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('marketing.opportunity_touches')
    .select('opportunity_id')
    .distinct()
    .where('opportunity_id', '>', after)
    .where('kind', '=', sql.lit('open'))
    .orderBy('opportunity_id')
    .limit(limit)
    .execute()
  return rows.map(({ opportunity_id }) => opportunity_id)
}
