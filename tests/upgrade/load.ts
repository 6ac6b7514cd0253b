import { setTimeout as sleep } from 'node:timers/promises'
import { createHttpClient } from '../../bench/http-client.ts'

type Lead = { id: string }

/** Sends requests to the processes that a load balancer would choose, without retries, until it is stopped. */
export function startLoad(headers: Record<string, string>, clients: number) {
  const ports: number[] = []
  const created: string[] = []
  const failures: string[] = []
  let requests = 0
  let isStopped = false

  const send = async (method: string, path: string, body?: object) => {
    const port = ports[requests++ % ports.length]!
    const client = createHttpClient(port, headers, { isKeptAlive: false })
    return (await client.send({ method, path, ...(body && { body }) }, 1)).body
  }

  async function runClient(client: number): Promise<void> {
    for (let round = 0; !isStopped; round++) {
      try {
        const lead: Lead = await send('POST', '/api/leads/', { last_name: `Upgrade ${client}-${round}`, source: 'web' })
        created.push(lead.id)
        await send('PATCH', `/api/leads/${lead.id}`, { title: 'Buyer' })
        await send('GET', '/api/leads/')
        await send('GET', `/api/leads/${lead.id}`)
      } catch (error) {
        failures.push(String(error))
      }
      await sleep(20)
    }
  }

  let running: Promise<unknown> = Promise.resolve()
  return {
    created,
    failures,
    requests: () => requests,
    /** Requests go to this process from now on. */
    addProcess: (port: number) => void ports.push(port),
    /** No new request goes to this process; returns when open ones have ended. */
    async removeProcess(port: number): Promise<void> {
      ports.splice(ports.indexOf(port), 1)
      await sleep(1_000)
    },
    start: () => {
      running = Promise.all(Array.from({ length: clients }, (_, client) => runClient(client)))
    },
    async stop(): Promise<void> {
      isStopped = true
      await running
    },
  }
}
