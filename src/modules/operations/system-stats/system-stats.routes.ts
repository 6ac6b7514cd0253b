import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { SystemStats } from './system-stats.schemas.ts'
import { getWorkspaceStats } from './system-stats.service.ts'

const cacheSeconds = 60

export const systemStatsRoutes =
  (services: Services): Routes =>
  async (app) => {
    const eventLoopDelay = monitorEventLoopDelay({ resolution: 20 })
    eventLoopDelay.enable()
    app.addHook('onClose', async () => void eventLoopDelay.disable())

    app.route({
      method: 'GET',
      url: '/api/admin/system-stats',
      config: { scope: 'admin.read' },
      schema: {
        operationId: 'getSystemStats',
        summary: 'Get statistics of the workspace',
        description:
          'Records, users, storage and usage of the workspace, and figures about the process that answers and its database. Figures of the ' +
          'workspace are at most a minute old; usage is added once a minute. Counts of records end at 10,000.',
        response: { 200: SystemStats },
      },
      handler: async (request) => {
        const load = () => request.inTenant((tx) => getWorkspaceStats(tx, services))
        const stats = await services.cache.getOrLoad(request.tenant.id, 'system_stats', cacheSeconds, load)
        return {
          ...stats,
          process: {
            uptime_seconds: Math.floor(process.uptime()),
            rss_bytes: process.memoryUsage.rss(),
            event_loop_p99_ms: Math.round(eventLoopDelay.percentile(99) / 10_000) / 100,
            node_version: process.version,
          },
        }
      },
    })
  }
