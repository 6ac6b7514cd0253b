import { QueryClient } from '@tanstack/react-query'
import { isProblem, isTemporary } from './problem.ts'

const maxAttempts = 3
/** The time for which data is shown without reading it again. */
export const standardStaleTime = 30_000

/** Reads are repeated after failures that may pass. Writes are repeated by the user only, except while offline: they wait. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: standardStaleTime,
      gcTime: 10 * 60_000,
      retry: (failures, error) => failures < maxAttempts && isTemporary(error),
      retryDelay: (failures, error) =>
        isProblem(error) && error.retryAfterSeconds
          ? error.retryAfterSeconds * 1_000
          : Math.min(1_000 * 2 ** failures, 8_000),
    },
    mutations: { retry: false },
  },
})
