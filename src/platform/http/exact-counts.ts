import type { FastifyRequest } from 'fastify'
import { createSemaphore } from '#platform/concurrency'

/** An exact count reads every matching row, so a workspace makes one at a time and waits for the others. */
export const createExactCountLimit = () =>
  createSemaphore({ concurrency: 2, maxPerKey: 1, maxQueued: 200, maxWaitMs: 10_000 })

export const countsExactly = ({ query, body }: Pick<FastifyRequest, 'query' | 'body'>): boolean =>
  [query, body].some((input) => (input as { count?: unknown } | null | undefined)?.count === 'exact')
