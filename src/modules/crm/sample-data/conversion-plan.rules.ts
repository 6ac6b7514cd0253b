import { daysLater, secondsLater } from '#platform/clock'
import type { Random } from '#platform/module'
import { amountOf, type DealMove, type DealOutcome, planMoves } from './deal-plan.rules.ts'
import type { PlannedLead } from './lead-plan.rules.ts'

export type ConversionDeal = { amount: number; closeOn: string; moves: DealMove[] }

/** Makes about half of the deals of converted leads won. */
const outcomes: readonly DealOutcome[] = ['won', 'open', 'won', 'lost', 'open']

export const decisionTimeOf = ({ activities }: PlannedLead) => secondsLater(activities.at(-1)!.at, 900)

/** Two of three converted leads have a deal. */
export function planConversionDeals(
  random: Random,
  now: Date,
  converted: readonly PlannedLead[],
): Map<PlannedLead, ConversionDeal> {
  const withDeal = converted.filter((_, index) => index % 3 !== 2)
  return new Map(
    withDeal.map((lead, index) => {
      const decidedAt = decisionTimeOf(lead)
      const ageDays = (now.getTime() - decidedAt.getTime()) / 86_400_000
      return [
        lead,
        {
          amount: amountOf(lead.company, 'pilot', random),
          closeOn: daysLater(now, random.integer(10, 80)).toISOString().slice(0, 10),
          moves: planMoves(random, outcomes[index % outcomes.length]!, decidedAt, ageDays),
        },
      ]
    }),
  )
}
