import type { Module } from '#platform/module'
import { coaching } from './coaching.module.ts'
import { experts } from './experts.module.ts'
import { insights } from './insights.module.ts'
import { learning } from './learning.module.ts'
import { library } from './library.module.ts'
import { pitches } from './pitches.module.ts'
import { rooms } from './rooms.module.ts'

const parts = [library, rooms, coaching, pitches, learning, experts, insights]

export const enablement: Module = {
  name: 'enablement',
  purpose:
    'Sales content, collections, rooms shared with buyers, coaching of sellers, pitch practice, learning paths, experts, insights and readiness.',
  uses: ['identity', 'crm'],
  schema: 'enablement',
  reads: ['platform.files'],
  routes: (services) => async (app) => {
    for (const part of parts) await app.register(part.routes(services))
  },
  tables: Object.assign({}, ...parts.map(({ tables }) => tables)),
  errors: Object.assign({}, ...parts.map(({ errors }) => errors)),
  events: parts.flatMap(({ events }) => events),
  schedules: (services) => parts.flatMap((part) => part.schedules?.(services) ?? []),
  jobs: (services) => parts.flatMap((part) => part.jobs?.(services) ?? []),
  subscriptions: parts.flatMap(({ subscriptions = [] }) => subscriptions),
  integrityChecks: (services) => parts.flatMap((part) => part.integrityChecks?.(services) ?? []),
  sampleData: (services) => parts.flatMap((part) => part.sampleData?.(services) ?? []),
  erasures: parts.flatMap(({ erasures = [] }) => erasures),
  mergeReferences: parts.flatMap(({ mergeReferences = [] }) => mergeReferences),
  eventPresenters: parts.flatMap(({ eventPresenters = [] }) => eventPresenters),
  settings: parts.flatMap(({ settings = [] }) => settings),
  extensions: parts.flatMap(({ extensions = [] }) => extensions),
  filePurposes: (extensionsOf) => parts.flatMap((part) => part.filePurposes?.(extensionsOf) ?? []),
}
