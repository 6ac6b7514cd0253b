// Compares previews of ten typical segments among a million leads with those among ten thousand.
import { openOwnerPool } from '#testing'
import { createEnvironment, startApi } from './api.ts'
import { type BenchWorkspace, openBenchWorkspace } from './big/bench-workspace.ts'
import { defaultHome, readFilledSize, startBigServer } from './big/database.ts'
import { largeSlug, smallSlug } from './big/fill.ts'
import { listSegmentCases, prepareSegments } from './big/segment-rules.ts'
import { median } from './measure.ts'

const [maxRatio, alwaysFastMs] = [3, 500]
const warmUpRounds = 2

type SegmentsBenchOptions = { rounds?: number; home?: string }

export async function run({ rounds = 11, home = defaultHome }: SegmentsBenchOptions = {}): Promise<number> {
  const size = await readFilledSize(home)
  const { server, database } = await startBigServer(home)
  const owner = openOwnerPool(database.ownerUrl)
  owner.on('error', () => {})
  const environment = createEnvironment(database, { RATE_LIMIT_FACTOR: '0' })
  const api = await startApi(environment)
  try {
    const context = { owner, environment, port: api.port }
    const [large, small] = [await openBenchWorkspace(largeSlug, context), await openBenchWorkspace(smallSlug, context)]
    const query = (text: string, values: unknown[]) => owner.query(text, values)
    const [ofLarge, ofSmall] = [await prepareSegments(large, query), await prepareSegments(small, query)]
    await owner.query('vacuum analyze crm.leads, crm.custom_field_index, marketing.segments')
    console.log(`median of ${rounds} previews: ${size.leads} leads against ${size.compared}`)
    let worst = 0
    const casesOfSmall = listSegmentCases(ofSmall)
    for (const [index, { name, ...request }] of listSegmentCases(ofLarge).entries()) {
      const { name: _, ...other } = casesOfSmall[index]!
      const [slow, fast] = [await measurePreview(large, request, rounds), await measurePreview(small, other, rounds)]
      const ratio = slow.ms / fast.ms
      const isGood = (ratio <= maxRatio || slow.ms < alwaysFastMs) && !slow.isLimited && !fast.isLimited
      worst = Math.max(worst, isGood ? 0 : ratio)
      console.log(
        `  ${ratio.toFixed(2).padStart(7)}  ${slow.ms.toFixed(1).padStart(8)} ms  ${fast.ms.toFixed(1).padStart(7)} ms  ` +
          `${isGood ? 'ok    ' : 'MISSED'}  ${name}: ${slow.found} and ${fast.found} records`,
      )
    }
    console.log(`ratio: ${worst.toFixed(2)}`)
    return worst
  } finally {
    await api.stop()
    await owner.end()
    await server.stop()
  }
}

type Preview = { count: number; count_relation: string; warnings: string[] }

async function measurePreview({ send }: BenchWorkspace, request: object, rounds: number) {
  const times: number[] = []
  let [found, isLimited] = ['', false]
  for (let round = -warmUpRounds; round < rounds; round++) {
    const { status, body, durationMs } = await send({ method: 'POST', path: '/api/segments/preview', body: request })
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
    const { count, count_relation, warnings } = body as unknown as Preview
    isLimited ||= warnings.includes('time_limit')
    found = `${count_relation === 'gte' ? '≥ ' : ''}${count}`
    if (round >= 0) times.push(durationMs)
  }
  return { ms: median(times), found, isLimited }
}
