import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchWorkspace } from '../big/bench-workspace.ts'
import { startWebhookReceiver } from '../webhook-receiver.ts'

/** What the users of a small workspace notice; durations in milliseconds. */
export type Observed = Record<'list' | 'create' | 'webhook' | 'bulk', number[]> & { failures: string[] }

const bulkLeads = 250
const pauseMs = 20

/** Works in a small workspace for some seconds, one request after the other, and measures everything its users wait for. */
export async function observeSmallWorkspace(
  { send, leads }: BenchWorkspace,
  { receiver, seconds }: { receiver: Receiver; seconds: number },
): Promise<Observed> {
  const observed: Observed = { list: [], create: [], webhook: [], bulk: [], failures: [] }
  const end = performance.now() + seconds * 1_000
  const attempt = (work: () => Promise<unknown>) => work().catch((error) => void observed.failures.push(String(error)))

  async function readAndCreate(): Promise<void> {
    for (let round = 0; performance.now() < end; round++) {
      await attempt(async () => void observed.list.push((await send({ path: '/api/leads/' })).durationMs))
      if (round % 4 === 0) await attempt(createLead)
      await sleep(pauseMs)
    }
  }

  async function createLead(): Promise<void> {
    const lead = { last_name: `Neighbour ${performance.now()}`, source: 'web' }
    const { body, durationMs } = await send({ method: 'POST', path: '/api/leads/', body: lead })
    const createdAt = performance.now()
    observed.create.push(durationMs)
    receiver.onLead(body.id, () => observed.webhook.push(performance.now() - createdAt))
  }

  async function runBulkTasks(): Promise<void> {
    const lead_ids = leads.slice(0, bulkLeads).map(({ id }) => id)
    while (performance.now() < end) await attempt(() => runBulkTask(lead_ids))
  }

  async function runBulkTask(lead_ids: string[]): Promise<void> {
    const start = performance.now()
    const { body } = await send({ method: 'POST', path: '/api/leads/bulk', body: { action: 'recompute', lead_ids } })
    const { status_url } = body as unknown as { status_url: string }
    for (;;) {
      const { body: task } = await send({ path: status_url })
      const { state } = task as unknown as { state: string }
      if (state === 'succeeded') break
      if (state === 'failed' || state === 'cancelled') throw new Error(`The bulk task ended as ${state}.`)
      await sleep(25)
    }
    observed.bulk.push(performance.now() - start)
  }

  await Promise.all([readAndCreate(), runBulkTasks()])
  await receiver.settle(seconds * 1_000)
  if (receiver.waiting()) observed.failures.push(`${receiver.waiting()} webhooks did not arrive`)
  receiver.forget()
  return observed
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Receives the webhooks of the small workspace. */
export async function startReceiver() {
  const listeners = new Map<string, () => void>()
  const early = new Set<string>()
  const { url, stop } = await startWebhookReceiver((id) => {
    const listener = listeners.get(id)
    listeners.delete(id)
    if (listener) listener()
    else early.add(id)
  })
  return {
    url,
    onLead(id: string, listener: () => void): void {
      if (early.delete(id)) listener()
      else listeners.set(id, listener)
    },
    waiting: () => listeners.size,
    async settle(maxMs: number): Promise<void> {
      for (let waited = 0; listeners.size && waited < maxMs; waited += 50) await sleep(50)
    },
    forget: () => listeners.clear(),
    stop,
  }
}
