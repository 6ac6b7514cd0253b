import { openRedis } from '#platform/cache'
import { type Clock, systemClock } from '#platform/clock'
import { createEgress } from '#platform/egress'
import { createRateLimiter } from '#platform/limits'
import { createLogger } from '#platform/telemetry'
import { createRealtimeClient, createTranscriber, type SpeechProvider } from './index.ts'
import { apiKey } from './model-client.fixture.ts'

export const speechProvider = (baseUrl: string, change: Partial<SpeechProvider> = {}): SpeechProvider => ({
  baseUrl,
  model: 'speech-1',
  apiKey,
  ...change,
})

type SpeechClientOptions = { clock?: Clock; timeoutMs?: number; isProduction?: boolean }

/** Creates both speech clients and captures their log. */
export function createTestSpeechClients({
  clock = systemClock,
  isProduction = false,
  ...options
}: SpeechClientOptions = {}) {
  const written: string[] = []
  const log = createLogger({ LOG_LEVEL: 'info' }, { write: (line) => written.push(line) })
  const egress = createEgress({
    config: { APP_DOMAIN: 'tributary.example', SAFE_FETCH_ALLOW_PRIVATE: !isProduction },
  })
  const limits = createRateLimiter({
    redis: openRedis({ REDIS_URL: '', log }),
    config: { RATE_LIMIT_FACTOR: 1, RATE_LIMIT_INSTANCES: 1 },
    clock,
  })
  return {
    transcriber: createTranscriber({ egress, log, ...options }),
    realtime: createRealtimeClient({ egress, limits, clock, log, ...options }),
    logText: () => written.join(''),
  }
}
