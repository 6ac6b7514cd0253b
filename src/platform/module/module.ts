import type { ModelClient, RealtimeClient, Transcriber } from '#platform/ai'
import type { Cache } from '#platform/cache'
import type { Clock } from '#platform/clock'
import type { Config } from '#platform/config'
import type { Database, Db } from '#platform/db'
import type { Egress } from '#platform/egress'
import { type ErrorCatalogue, platformErrors } from '#platform/errors'
import type { FilePurpose, Files } from '#platform/files'
import type { ApplicationFiles, Gatekeeper, Lifecycle, Routes } from '#platform/http'
import type { JobHandler, JobQueue, Schedule } from '#platform/jobs'
import type { RateLimiter } from '#platform/limits'
import type { Mailer } from '#platform/mail'
import type { DomainEvent, Subscription } from '#platform/outbox'
import type { SecretBox } from '#platform/secrets'
import type { BlobStore } from '#platform/storage'
import type { Log } from '#platform/telemetry'
import type { UsageCounter } from '#platform/usage'
import type { EventPresenter } from './event-presenter.ts'
import { collectExtensions, type Extension, type ExtensionReader } from './extension-points.ts'
import type { Erasure, IntegrityCheck, MergeReference, RuleFact, SettingsSection } from './registries.ts'
import type { SampleData } from './sample-data.ts'
import { mergeSettingsParts } from './settings-parts.ts'
import { platformTables, type Tables } from './tables.ts'

export type Services = {
  config: Config
  clock: Clock
  log: Log
  db: Db
  jobQueue: JobQueue
  cache: Cache
  limits: RateLimiter
  secrets: SecretBox
  mailer: Mailer
  /** Separate connections, so that no other email waits for marketing email. */
  outreachMailer: Mailer
  storage: BlobStore
  files: Files
  egress: Egress
  models: ModelClient
  transcriber: Transcriber
  realtime: RealtimeClient
  usage: UsageCounter
  gatekeeper: Gatekeeper
  lifecycle: Lifecycle
  registry: Registry
  applicationFiles?: ApplicationFiles
}

/** A documented route, collected when the application is built. */
export type RegisteredRoute = {
  module: string
  method: string
  path: string
  access: 'scope' | 'signed_in' | 'public'
  scope: string | null
}

export type Registry = {
  modules: readonly Module[]
  routes: RegisteredRoute[]
  tables: Tables
  errors: ErrorCatalogue
  settings: SettingsSection[]
  erasures: Erasure[]
  integrityChecksOf(services: Services): IntegrityCheck[]
  sampleDataOf(services: Services): SampleData[]
  ruleFacts: RuleFact[]
  mergeReferences: MergeReference[]
  filePurposes: FilePurpose[]
  eventPresenters: EventPresenter[]
  extensionsOf: ExtensionReader
}

export type Module = {
  name: string
  purpose: string
  uses: string[]
  /** The PostgreSQL schema of its tables, which several modules may have. */
  schema: string
  tables: Tables
  /** Tables of the platform and of modules in `uses` that its statements read. They write only its own. */
  reads?: readonly (keyof Database)[]
  routes(services: Services): Routes
  errors?: ErrorCatalogue
  events: DomainEvent[]
  subscriptions?: Subscription[]
  jobs?(services: Services): JobHandler[]
  schedules?(services: Services): Schedule[]
  integrityChecks?(services: Services): IntegrityCheck[]
  sampleData?(services: Services): SampleData[]
  erasures?: Erasure[]
  settings?: SettingsSection[]
  ruleFacts?: RuleFact[]
  mergeReferences?: MergeReference[]
  filePurposes?(extensionsOf: ExtensionReader): FilePurpose[]
  eventPresenters?: EventPresenter[]
  extensions?: Extension[]
}

export function buildRegistry(modules: readonly Module[]): Registry {
  const extensionsOf = collectExtensions(modules.flatMap(({ extensions = [] }) => extensions))
  return {
    modules,
    routes: [],
    errors: collectErrors(modules),
    tables: Object.assign({}, platformTables, ...modules.map(({ tables }) => tables)),
    settings: mergeSettingsParts(modules.flatMap(({ settings = [] }) => settings)),
    erasures: modules.flatMap(({ erasures = [] }) => erasures),
    integrityChecksOf: (services) => modules.flatMap((module) => module.integrityChecks?.(services) ?? []),
    sampleDataOf: (services) => modules.flatMap((module) => module.sampleData?.(services) ?? []),
    ruleFacts: modules.flatMap(({ ruleFacts = [] }) => ruleFacts),
    mergeReferences: modules.flatMap(({ mergeReferences = [] }) => mergeReferences),
    filePurposes: modules.flatMap((module) => module.filePurposes?.(extensionsOf) ?? []),
    eventPresenters: modules.flatMap(({ eventPresenters = [] }) => eventPresenters),
    extensionsOf,
  }
}

function collectErrors(modules: readonly Module[]): ErrorCatalogue {
  const entries = [platformErrors, ...modules.map(({ errors = {} }) => errors)].flatMap(Object.entries)
  const catalogue = Object.fromEntries(entries)
  if (Object.keys(catalogue).length < entries.length) throw new Error('An error code must not be registered twice.')
  return catalogue
}
