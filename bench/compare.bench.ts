// Compares lists, reads and creates of leads of this checkout with those of an older commit: npm run bench -- compare --old 01923d4
import { parseArgs } from 'node:util'
import { startPostgres, startRedis } from '#testing'
import { currentCheckout } from './api.ts'
import { extractCommit } from './compare/checkout.ts'
import { openVersion } from './compare/version.ts'
import { measureHttpRate } from './http-rate.ts'
import { median } from './measure.ts'

const leads = 20_000
const secondsPerRate = 3
const createsPerRound = 150

type Version = Awaited<ReturnType<typeof openVersion>>
type Measurement = { name: string; unit: string; measure(version: Version): Promise<number> }

const measurements: Measurement[] = [
  { name: 'default list', unit: '/s', measure: (version) => measureRateOf(version, '/api/leads/') },
  {
    name: 'one lead',
    unit: '/s',
    measure: async (version) => {
      const { body } = await version.send({ path: '/api/leads/?limit=1' })
      return await measureRateOf(version, `/api/leads/${body.items[0]!.id}`)
    },
  },
  { name: 'create a lead', unit: ' ms', measure: measureCreate },
]

export async function run(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { old: { type: 'string', default: '01923d4' }, rounds: { type: 'string', default: '7' } },
  })
  const checkout = await extractCommit(values.old)
  const postgres = await startPostgres({ settings: ['shared_buffers=512MB', 'jit=off'] })
  const redis = await startRedis()
  const servers = { postgresUrl: postgres.url, leads }
  const versions = [
    await openVersion('old', checkout, { ...servers, redisUrl: `${redis.url}/0` }),
    await openVersion('new', currentCheckout, { ...servers, redisUrl: `${redis.url}/1` }),
  ]
  try {
    for (const measurement of measurements) await printRatio(measurement, versions, Number(values.rounds))
  } finally {
    for (const { stop, close } of versions) {
      close()
      await stop()
    }
    await redis.stop()
    await postgres.stop()
  }
}

async function printRatio({ name, unit, measure }: Measurement, versions: Version[], rounds: number): Promise<void> {
  for (const version of versions) await measure(version)
  const results: number[][] = versions.map(() => [])
  for (let round = 0; round < rounds; round++)
    for (const [index, version] of versions.entries()) results[index]!.push(await measure(version))
  const [old, current] = results as [number[], number[]]
  const ratio = median(current.map((value, round) => value / old[round]!))
  console.log(
    `ratio: ${ratio.toFixed(2)}  ${name}: ${median(current).toFixed(1)}${unit}, before ${median(old).toFixed(1)}${unit}`,
  )
}

const measureRateOf = ({ url, headers }: Version, path: string) =>
  measureHttpRate(`${url}${path}`, headers, secondsPerRate)

let created = 0

/** Returns the median time of requests sent one after another. */
async function measureCreate({ send }: Version): Promise<number> {
  const durations: number[] = []
  for (let count = 0; count < createsPerRound; count++) {
    const n = ++created
    const person = { first_name: 'New', last_name: `Number${n}`, company: `New ${n}`, title: 'Head of Sales' }
    const body = { ...person, email: `n${n}@new${n}.example`, source: 'web' }
    durations.push((await send({ method: 'POST', path: '/api/leads/', body })).durationMs)
  }
  return median(durations)
}
