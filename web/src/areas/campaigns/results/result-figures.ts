import type { TileProps } from '../../../charts/tile.tsx'
import { campaignResultTexts as texts } from '../../../texts/en/campaign-result-texts.ts'
import { formatMoney, formatNumber } from '../../../ui/format.ts'
import type { Campaign, Kpis } from '../campaign-queries.ts'
import { formatFactor, formatRate } from '../campaign-words.ts'

export type FigureKey = keyof typeof texts.tiles
type Figure = Omit<TileProps, 'label'> & { key: FigureKey }

/** The six figures of a campaign. An unknown one says what is missing, because it is not 0. */
export function listFigures(campaign: Pick<Campaign, 'expected_responses'>, kpis: Kpis, locale: string): Figure[] {
  const number = (value: number) => formatNumber(value, locale)
  const { members, leads, contacts, responded, response_rate: rate, new_leads: newLeads, opportunities: deals } = kpis
  return [
    {
      key: 'people',
      value: number(members),
      note: texts.leadsAndContacts(leads, number(leads), contacts, number(contacts)),
    },
    {
      key: 'responded',
      value: number(responded),
      ...describeResponses(campaign.expected_responses, responded, rate, locale),
    },
    { key: 'leads', value: number(newLeads), note: texts.converted(number(kpis.converted)) },
    {
      key: 'won',
      value: formatMoney(kpis.attribution.linear.won_amount, locale),
      note: texts.dealsWon(number(deals.won), deals.influenced, number(deals.influenced)),
    },
    { key: 'cost', ...describeCost(kpis, locale) },
    { key: 'roi', ...describeReturn(kpis, locale) },
  ]
}

function describeResponses(
  target: number | null,
  responded: number,
  rate: number | null,
  locale: string,
): Pick<Figure, 'note' | 'tone'> {
  if (rate === null) return {}
  const text = formatRate(rate, locale, 1)
  if (!target) return { note: text }
  return {
    note: texts.rateAndTarget(text, formatNumber(target, locale)),
    ...(responded >= target && { tone: 'good' }),
  }
}

function describeCost({ actual_cost: cost, budget, budget_used_rate: used }: Kpis, locale: string) {
  if (cost === null) return { value: null, note: texts.notEntered }
  const value = formatMoney(cost, locale)
  if (budget === null || used === null) return { value, note: texts.noBudget }
  const note = texts.ofBudget(formatRate(used, locale), formatMoney(budget, locale))
  return { value, note, ...(used > 1 && { tone: 'bad' as const }) }
}

function describeReturn({ roi, cost_per_lead: perLead }: Kpis, locale: string) {
  if (roi === null) return { value: null, note: texts.needsCost }
  const note = perLead ? texts.perLead(formatMoney(perLead, locale)) : texts.noLeads
  return {
    value: formatFactor(roi.linear, locale),
    note,
    ...(roi.linear !== 0 && { tone: roi.linear > 0 ? ('good' as const) : ('bad' as const) }),
  }
}
