import { toBaseMinor } from '#modules/crm'
import { getSubtreeHeight, listSelfAndAncestorIds, type TenantTx, toSearchText } from '#platform/db'
import { conflict, invalid, unknownReference } from '#platform/errors'
import { type Money, moneyOf, normalizeMoney, toMinor } from '#platform/money'
import {
  type CampaignRow,
  campaignTree,
  findCampaign,
  findCampaignIdByName,
  findCampaignIdByUtmKey,
} from './campaigns.queries.ts'

const moneyFields = ['budget', 'actual_cost', 'expected_revenue'] as const
type MoneyFields = Partial<Record<(typeof moneyFields)[number], Money | null>>

export const moneyFieldsOf = (row: CampaignRow) => ({
  budget: moneyOf(row.budget_minor, row.budget_currency),
  actual_cost: moneyOf(row.actual_cost_minor, row.actual_cost_currency),
  expected_revenue: moneyOf(row.expected_revenue_minor, row.expected_revenue_currency),
})

export const normalizeMoneyFields = (input: MoneyFields): MoneyFields =>
  Object.fromEntries(
    moneyFields.flatMap((field) =>
      input[field] === undefined ? [] : [[field, normalizeMoney(input[field] ?? null, `/${field}`)]],
    ),
  )

export async function toMoneyColumns(
  tx: TenantTx,
  input: MoneyFields,
): Promise<Record<string, number | string | null>> {
  const columns: Record<string, number | string | null> = {}
  for (const field of moneyFields) {
    const money = input[field]
    if (money === undefined) continue
    const minor = money && toMinor(money, money.currency, `/${field}`)
    if (minor !== null && minor < 0)
      throw invalid('body', `/${field}/amount`, 'range', '`amount` must not be negative.')
    columns[`${field}_minor`] = minor
    columns[`${field}_currency`] = money?.currency ?? null
    columns[`${field}_base_minor`] =
      money && minor !== null
        ? await toBaseMinor(tx, { amount_minor: minor, currency: money.currency }, `/${field}`)
        : null
  }
  return columns
}

export const toUtmColumns = (utm_campaign: string | null) => ({
  utm_campaign,
  utm_key: utm_campaign && toUtmKey(utm_campaign),
})

export const toUtmKey = (utmCampaign: string): string => utmCampaign.toLowerCase()

type SearchFields = Pick<CampaignRow, 'name'> & { utm_campaign?: string | null; description?: string | null }

export const toCampaignSearchText = ({ name, utm_campaign, description }: SearchFields): string =>
  ` ${toSearchText(name, utm_campaign, description)}`

/** For transactions that hold the lock of the campaign tree, so no other one can take the name or key. */
export async function assertUniqueCampaign(
  tx: TenantTx,
  { name, utm_campaign }: { name?: string; utm_campaign?: string | null },
  ownId?: string,
): Promise<void> {
  const sameName = name === undefined ? undefined : await findCampaignIdByName(tx, name)
  if (sameName && sameName !== ownId)
    throw conflict('already_exists', 'A campaign with this name already exists.', { existing_id: sameName })
  const sameKey = utm_campaign ? await findCampaignIdByUtmKey(tx, toUtmKey(utm_campaign)) : undefined
  if (sameKey && sameKey !== ownId)
    throw conflict('already_exists', 'A campaign with this `utm_campaign` already exists.', { existing_id: sameKey })
}

const maxDepth = 3

export async function assertParentCampaign(tx: TenantTx, id: string | null, parentId: string): Promise<void> {
  if (!(await findCampaign(tx, parentId))) throw unknownReference('/parent_campaign_id', 'campaign')
  const ancestors = await listSelfAndAncestorIds(tx, campaignTree, parentId)
  if (id !== null && ancestors.includes(id))
    throw invalid('body', '/parent_campaign_id', 'cycle', '`parent_campaign_id` must not be below the campaign itself.')
  const levels = id === null ? 1 : await getSubtreeHeight(tx, campaignTree, id)
  if (ancestors.length + levels > maxDepth)
    throw invalid(
      'body',
      '/parent_campaign_id',
      'depth',
      `Campaigns must not be nested more than ${maxDepth} levels deep.`,
    )
}
