// Runs a bad neighbour in a thread, because its work would delay the measurements of the process.
import { once } from 'node:events'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import type { Environment } from '#platform/config'
import { openOwnerPool } from '#testing'
import { openBenchWorkspace } from '../big/bench-workspace.ts'
import { largeSlug } from '../big/fill.ts'
import { badNeighbours } from './bad-neighbours.ts'

type NeighbourSettings = {
  name: string
  ownerUrl: string
  environment: Environment
  port: number
  hangingUrl: string
}

const otherSlugs = ['other-1', 'other-2', 'other-3', 'other-4']

/** Starts the neighbour and returns a function that stops it and waits for its end. */
export async function startNeighbour(settings: NeighbourSettings): Promise<() => Promise<void>> {
  const thread = new Worker(new URL(import.meta.url), { workerData: settings })
  const ended = once(thread, 'exit')
  await once(thread, 'message')
  return async () => {
    thread.postMessage('stop')
    await ended
  }
}

async function runNeighbour({ name, ownerUrl, hangingUrl, ...access }: NeighbourSettings): Promise<void> {
  const owner = openOwnerPool(ownerUrl)
  const open = (slug: string) => openBenchWorkspace(slug, { owner, ...access })
  const stop = new AbortController()
  parentPort!.once('message', () => stop.abort())
  const others = await Promise.all(otherSlugs.map(open))
  const context = { port: access.port, large: await open(largeSlug), others, hangingUrl }
  parentPort!.postMessage('started')
  await badNeighbours.find((neighbour) => neighbour.name === name)!.run(context, stop.signal)
  await owner.end()
}

if (parentPort) await runNeighbour(workerData as NeighbourSettings)
