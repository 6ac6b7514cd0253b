import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchWorkspace } from '../big/bench-workspace.ts'

export type NeighbourContext = {
  port: number
  large: BenchWorkspace
  /** Small workspaces that are not measured. */
  others: BenchWorkspace[]
  hangingUrl: string
}

/** Does its worst until the signal is aborted. Its own requests may be rejected. */
type BadNeighbour = { name: string; run(context: NeighbourContext, signal: AbortSignal): Promise<void> }

/** Repeats a request with a number of clients. */
async function repeat(clients: number, signal: AbortSignal, send: (client: number) => Promise<unknown>): Promise<void> {
  const loop = async (client: number) => {
    while (!signal.aborted) {
      await send(client).catch(() => {})
      await sleep(5)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => loop(client)))
}

const counts: BadNeighbour = {
  name: 'exact counts of 1,000,000 leads',
  run: ({ large }, signal) =>
    repeat(8, signal, () => large.sendApart({ path: '/api/leads/?count=exact&status=new&sort=name' })),
}

const hangingWebhooks: BadNeighbour = {
  name: '200 webhook endpoints that hang',
  async run({ others, hangingUrl }, signal) {
    for (const workspace of others)
      for (let n = 0; n < 200 / others.length; n++)
        await workspace.createEndpoint(`${hangingUrl}/${workspace.slug}/${n}`)
    await repeat(others.length, signal, async (client) => {
      const body = { last_name: 'Slow', source: 'web' }
      await others[client]!.sendApart({ method: 'POST', path: '/api/leads/', body })
      await sleep(500)
    })
    for (const workspace of others) await workspace.deleteEndpoints()
  },
}

const slowUploads: BadNeighbour = {
  name: '50 slow uploads',
  async run({ port, large }, signal) {
    const { body: item } = await large.send({
      method: 'POST',
      path: '/api/enablement/content',
      body: { title: `Upload ${Date.now()}`, type: 'other' },
    })
    const path = `/api/enablement/content/${item.id}/upload`
    await repeat(50, signal, () => uploadSlowly({ port, path, headers: large.headers }, signal))
  },
}

function uploadSlowly(
  { port, path, headers }: { port: number; path: string; headers: Record<string, string> },
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const contentType = 'multipart/form-data; boundary=slow'
  const upload = request({
    host: '127.0.0.1',
    port,
    path,
    method: 'POST',
    headers: { ...headers, 'content-type': contentType },
  })
  upload.write(
    '--slow\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\n',
  )
  const timer = setInterval(() => upload.write('x'), 200)
  const end = () => {
    clearInterval(timer)
    signal.removeEventListener('abort', end)
    upload.destroy()
    resolve()
  }
  signal.addEventListener('abort', end)
  upload.once('error', end)
  upload.once('response', (response) => response.resume().once('end', end))
  return promise
}

const backup: BadNeighbour = {
  name: 'a backup of 1,000,000 leads',
  async run({ large }, signal) {
    await large.send({ method: 'POST', path: '/api/admin/backups' })
    while (!signal.aborted) await sleep(100)
  },
}

/** The API accepts no more leads in one bulk action. */
const maxBulkLeads = 100_000

const bulkAction: BadNeighbour = {
  name: 'a bulk action on 200,000 leads',
  async run({ large }, signal) {
    let leads = 0
    for (const status of ['new', 'contacted', 'working', 'nurturing', 'qualified', 'unqualified']) {
      const { body: page } = await large.send({ path: `/api/leads/?count=exact&limit=1&source=fair&status=${status}` })
      const { total: expected_count } = page as unknown as { total: number }
      if (leads >= 200_000 || expected_count > maxBulkLeads) continue
      const body = { action: 'recompute', query: { source: ['fair'], status: [status] }, expected_count }
      await large.send({ method: 'POST', path: '/api/leads/bulk', body })
      leads += expected_count
    }
    console.log(`bulk actions on ${leads} leads`)
    while (!signal.aborted) await sleep(100)
  },
}

const previews: BadNeighbour = {
  name: '50 segment previews',
  run: ({ large }, signal) => {
    const rules = {
      all: [
        { field: 'title', op: 'contains', value: 'ea' },
        { not: { field: 'company', op: 'starts_with', value: 'Q' } },
      ],
    }
    const body = { object_type: 'lead', rules, count: 'exact', breakdown: true }
    return repeat(50, signal, () => large.sendApart({ method: 'POST', path: '/api/segments/preview', body }))
  },
}

/** What the rate limits let one user send: 100 requests per second, and 2 MiB of large bodies. */
const requestsPerSecond = 100
const largeBodiesPerSecond = 2

const longText = (part: string, length: number) => part.repeat(Math.ceil(length / part.length)).slice(0, length)

/** The longest allowed values, as fast as the rate limits allow. */
const worstValues: BadNeighbour = {
  name: 'the longest allowed values',
  async run({ large }, signal) {
    const post = (path: string, body: object) => large.sendApart({ method: 'POST', path, body })
    const questions = longText('What? a. ', 100_000)
    const { body: practice } = await large.send({
      method: 'POST',
      path: '/api/enablement/pitch/practice',
      body: { title: 'Long', transcript: questions },
    })
    const letters = [...'abcdefghijklmnopqr'].map((letter) => `${letter}?`).join('')
    const pattern = `^(?:${letters}){25}$`
    const { body: field } = await large.send({
      method: 'POST',
      path: '/api/custom-fields',
      body: { object_type: 'lead', label: `Long ${Date.now()}`, type: 'text', validation: { pattern } },
    })
    const { key } = field as unknown as { key: string }
    const small = [
      () => post(`/api/enablement/pitch/submissions/${practice.id}/evaluate`, {}),
      () => post('/api/enablement/content', { title: 'Long', type: 'document', body: longText('[a](b) ', 60_000) }),
      () =>
        post('/api/leads/', {
          last_name: 'Long',
          notes: longText('a? ', 20_000),
          custom: { [key]: longText('rq', 250) },
        }),
      () =>
        post('/api/leads/', {
          last_name: longText('e\u0301', 100),
          tags: Array.from({ length: 50 }, (_, n) => `${n}`),
        }),
    ]
    const bodies = [
      () =>
        post('/api/leads/bulk', { action: 'add_tags', lead_ids: Array.from({ length: 10_000 }, () => 'x'.repeat(36)) }),
      () =>
        post('/api/contacts/', {
          last_name: 'Long',
          custom: Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`k${n}`, longText('a? ', 4_000)])),
        }),
    ]
    await Promise.all([
      sendAtRate(requestsPerSecond - largeBodiesPerSecond, signal, small),
      sendAtRate(largeBodiesPerSecond, signal, bodies),
    ])
  },
}

/** Does not wait for responses, as clients of a user with many sessions. */
async function sendAtRate(
  perSecond: number,
  signal: AbortSignal,
  requests: readonly (() => Promise<unknown>)[],
): Promise<void> {
  const open = new Set<Promise<unknown>>()
  for (let n = 0; !signal.aborted; n++) {
    const sent = requests[n % requests.length]!()
      .catch(() => {})
      .finally(() => open.delete(sent))
    open.add(sent)
    await sleep(1_000 / perSecond)
  }
  await Promise.all(open)
}

export const badNeighbours: readonly BadNeighbour[] = [
  counts,
  hangingWebhooks,
  slowUploads,
  backup,
  bulkAction,
  previews,
  worstValues,
]
