import type { Module, RegisteredRoute, Services } from '#platform/module'
import { apiVersion, service } from './api-version.ts'
import type { Architecture, ModuleOverview } from './architecture.schemas.ts'

/** Describes the running service from its registries, so that the description is always current. */
export function describeArchitecture(services: Services): Architecture {
  const { config, registry } = services
  const modules = registry.modules.map((module) => describeModule(module, registry.routes, services))
  const countAll = (list: keyof ModuleOverview) => modules.reduce((total, module) => total + module[list].length, 0)
  return {
    service,
    api_version: apiVersion,
    modules,
    stores: [
      { name: 'PostgreSQL', kind: 'database', role: 'All durable data, queues and events', required: true },
      { name: 'Redis', kind: 'cache', role: 'Rate limits and short-lived caches', required: false },
      { name: 'File store', kind: 'file_store', role: 'Uploaded files, exports and backups', required: true },
    ],
    external: [
      { name: 'SMTP server', configured: config.SMTP_URL !== undefined },
      { name: 'Virus scanner', configured: config.CLAMD_URL !== undefined },
      { name: 'Google sign-in', configured: config.GOOGLE_CLIENT_ID !== undefined },
      { name: 'Trace collector', configured: config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined },
    ],
    counts: {
      modules: modules.length,
      tables: countAll('tables'),
      routes: countAll('routes'),
      jobs: countAll('jobs'),
      schedules: countAll('schedules'),
      events: countAll('events_emitted'),
    },
  }
}

function describeModule(module: Module, routes: readonly RegisteredRoute[], services: Services): ModuleOverview {
  const { name, purpose, uses, tables, events, subscriptions = [] } = module
  const own = routes.filter((route) => route.module === name)
  const consumed = subscriptions.flatMap(({ types }) => [...types])
  return {
    name,
    purpose,
    depends_on: uses,
    tables: Object.keys(tables).sort(),
    routes: own.map(({ module: _, ...route }) => route).sort(byPath),
    jobs: (module.jobs?.(services) ?? []).map(({ job }) => job.name).sort(),
    schedules: (module.schedules?.(services) ?? []).map((schedule) => schedule.name).sort(),
    events_emitted: events.map(({ type }) => type).sort(),
    events_consumed: [...new Set(consumed)].sort(),
  }
}

type Route = ModuleOverview['routes'][number]

const byPath = (a: Route, b: Route): number => a.path.localeCompare(b.path) || a.method.localeCompare(b.method)
