import { baseCurrencyOf, type ProfilePart, timezoneOf } from '#modules/identity'
import { dayInTimezone } from '#platform/calendar'
import { daysLater } from '#platform/clock'
import { toMoney } from '#platform/money'
import { roundBasisPoints } from '../../deals/pipelines/pipelines.rules.ts'
import { countLeadsByStatusAndGrade, countOwnedRecords, sumClosedDeals, sumOpenDeals } from './profile-parts.queries.ts'

const untouchedDays = 7
const closedStatuses = ['converted', 'unqualified']

export const crmProfileParts: ProfilePart[] = [
  {
    name: 'leads',
    scope: 'leads.read',
    async load(tx, _viewer, userId, { to }) {
      const counts = await countLeadsByStatusAndGrade(tx, userId, daysLater(to, -untouchedDays))
      const open = counts.filter(({ status }) => !closedStatuses.includes(status))
      return {
        owned: sum(counts, 'leads'),
        open: sum(open, 'leads'),
        by_status: sumBy(counts, 'status'),
        by_grade: sumBy(open, 'grade'),
        untouched_7d: sum(open, 'untouched'),
      }
    },
  },
  {
    name: 'contacts',
    scope: 'contacts.read',
    load: async (tx, _viewer, userId) => ({ owned: await countOwnedRecords(tx, 'crm.contacts', userId) }),
  },
  {
    name: 'accounts',
    scope: 'accounts.read',
    load: async (tx, _viewer, userId) => ({ owned: await countOwnedRecords(tx, 'crm.accounts', userId) }),
  },
  {
    name: 'opportunities',
    scope: 'opportunities.read',
    async load(tx, _viewer, userId, { from, to }) {
      const currency = await baseCurrencyOf(tx)
      const open = await sumOpenDeals(tx, userId, dayInTimezone(to.getTime(), await timezoneOf(tx)))
      const { won_count, won, lost_count, cycle_days } = await sumClosedDeals(tx, userId, from, to)
      return {
        open_count: open.open_count,
        open_amount: toMoney(BigInt(open.open), currency),
        weighted_amount: toMoney(roundBasisPoints(BigInt(open.weighted)), currency),
        overdue_count: open.overdue_count,
        won_count,
        won_amount: toMoney(BigInt(won), currency),
        lost_count,
        win_rate: won_count + lost_count === 0 ? null : won_count / (won_count + lost_count),
        average_cycle_days: cycle_days,
      }
    },
  },
  {
    name: 'concentration_rate',
    scope: 'opportunities.read',
    async load(tx, _viewer, userId, { to }) {
      const { open, largest } = await sumOpenDeals(tx, userId, dayInTimezone(to.getTime(), await timezoneOf(tx)))
      return Number(open) === 0 ? null : Number(largest) / Number(open)
    },
  },
]

type Counts = Awaited<ReturnType<typeof countLeadsByStatusAndGrade>>

const sum = (counts: Counts, of: 'leads' | 'untouched'): number => counts.reduce((total, row) => total + row[of], 0)

function sumBy(counts: Counts, by: 'status' | 'grade'): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const row of counts) sums[row[by]] = (sums[row[by]] ?? 0) + row.leads
  return sums
}
