import { listDealOutcomes } from '#modules/crm'
import { sampleEnterpriseSellers, sampleMidMarketSellers } from '#modules/identity'
import {
  countSearchMiss,
  deleteSampleMisses,
  insertViews,
  recountViews,
  sampleFiles,
  toLibraryView,
} from '#modules/library'
import { createBuyerViews } from '#modules/rooms'
import { daysLater } from '#platform/clock'
import {
  findSampleId,
  type IntegrityRun,
  type Random,
  type RecordReference,
  type SampleData,
  type SampleStep,
} from '#platform/module'
import { storeReadiness } from '../readiness/recompute-readiness.service.ts'
import { refreshInsights } from '../report/refresh-insights.service.ts'

const sellers = [...sampleEnterpriseSellers, ...sampleMidMarketSellers]
/** Content that buyers of closed deals have seen: most of them won with the first, half with the second. */
const winningContent = [
  { key: 'content:1', wonShare: 0.9, lostShare: 0.3, pages: null },
  { key: 'content:4', wonShare: 0.6, lostShare: 0.6, pages: sampleFiles.caseStudy.pages ?? null },
] as const
const sampleDeals = 50
/** Sellers who have read enough to be ready, in the last days. */
const diligentReaders = ['user:5', 'user:8'] as const
const itemsRead = 8
const missedSearches = ['zero trust checklist', 'accessibility statement', 'roi calculator for retail']
const missesPerSearch = 4

/** Views of buyers on closed deals, searches without results, and the insights and readiness that follow from all sample data. */
export const insightsSample: SampleData = {
  name: 'insights',
  plan: ({ random, now }) => [
    viewsStep(random, now),
    ...diligentReaders.map((reader) => readsStep(reader, now)),
    missesStep(now),
    readinessStep(now),
    refreshStep(now),
  ],
  async remove({ inTenant }: IntegrityRun, _records: readonly RecordReference[]) {
    await inTenant((tx) => deleteSampleMisses(tx, missedSearches))
    return []
  },
}

function viewsStep(random: Random, now: Date): SampleStep {
  const chances = Array.from({ length: sampleDeals * winningContent.length }, () => random.integer(0, 99) / 100)
  const daysBefore = Array.from({ length: sampleDeals }, () => random.integer(2, 12))
  return {
    async run(tx, _actor, idOf) {
      const ids = Array.from({ length: sampleDeals }, (_, index) => findSampleId(idOf, `opportunity:${index + 1}`))
      const deals = await listDealOutcomes(
        tx,
        ids.flatMap((id) => id ?? []),
      )
      const outcomes = new Map(deals.map((deal) => [deal.id, deal]))
      const views = ids.flatMap((id, index) => {
        const deal = id === undefined ? undefined : outcomes.get(id)
        if (!deal?.closed_at) return []
        const at = daysLater(deal.closed_at, -daysBefore[index]!)
        return winningContent.flatMap(({ key, wonShare, lostShare, pages }, item) => {
          const share = deal.kind === 'won' ? wonShare : lostShare
          const itemId = findSampleId(idOf, key)
          const isViewed = chances[index * winningContent.length + item]! < share
          return itemId && isViewed && at > deal.created_at
            ? [{ item_id: itemId, opportunity_id: deal.id, started_at: at, max_page: pages }]
            : []
        })
      })
      await createBuyerViews(tx, idOf('room:4'), views, now)
      return []
    },
  }
}

function readsStep(reader: string, now: Date): SampleStep {
  return {
    async run(tx, _actor, idOf) {
      const rows = Array.from({ length: itemsRead }, (_, index) => {
        const seconds = 45 + 15 * index
        const view = { startedAt: daysLater(now, -(index + 1)), seconds, isCompleted: seconds >= 60 }
        return toLibraryView({ item_id: idOf(`content:${index + 1}`), user_id: idOf(reader) }, view)
      })
      await insertViews(tx, rows)
      return []
    },
  }
}

const missesStep = (now: Date): SampleStep => ({
  async run(tx, { userId }) {
    for (const search of missedSearches)
      for (let count = 0; count < missesPerSearch; count++) await countSearchMiss(tx, search, { userId, now })
    return []
  },
})

const readinessStep = (now: Date): SampleStep => ({
  async run(tx, _actor, idOf) {
    await storeReadiness(tx, sellers.map(idOf).toSorted(), now)
    return []
  },
})

const refreshStep = (now: Date): SampleStep => ({
  async run(tx) {
    await recountViews(tx, now)
    await refreshInsights(tx, now)
    return []
  },
})
