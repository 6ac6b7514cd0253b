import type { Models } from '#platform/ai'
import type { Cache } from '#platform/cache'
import type { Clock } from '#platform/clock'
import type { Config } from '#platform/config'
import type { Db } from '#platform/db'
import type { Egress } from '#platform/egress'
import type { Gatekeeper, Lifecycle, Routes } from '#platform/http'
import type { JobHandler, Schedule } from '#platform/jobs'
import type { Limits } from '#platform/limits'
import type { Mailer } from '#platform/mail'
import type { DomainEvent, Subscription } from '#platform/outbox'
import type { SecretBox } from '#platform/secrets'
import type { BlobStore } from '#platform/storage'
import type { Log } from '#platform/telemetry'
import type {
  BulkAction,
  Erasure,
  ForecastSource,
  IntegrityCheck,
  ProfilePart,
  RuleFact,
  SampleData,
  SettingsSection,
} from './registries.ts'
import { platformTables, type Tables } from './tables.ts'

/** What is handed to the modules. Tests hand in a clock of their own, and stand-ins for the world outside. */
export type Services = {
  config: Config
  clock: Clock
  log: Log
  db: Db
  cache: Cache
  limits: Limits
  secrets: SecretBox
  mailer: Mailer
  storage: BlobStore
  egress: Egress
  models: Models
  gatekeeper: Gatekeeper
  lifecycle: Lifecycle
  /** What all modules have registered, for those who walk over it. */
  registry: Registry
}

/** The lists of all modules, joined. */
export type Registry = {
  tables: Tables
  settings: SettingsSection[]
  profileParts: ProfilePart[]
  /** Of the one module that knows deals. */
  forecast: ForecastSource | undefined
  erasures: Erasure[]
  integrityChecks: IntegrityCheck[]
  sampleData: SampleData[]
  ruleFacts: RuleFact[]
  bulkActions: BulkAction[]
}

/** The table of contents of a module. What walks over all modules is one loop over one of these lists. */
export type Module = {
  name: string
  /** One sentence for people. */
  purpose: string
  /** The modules below it. */
  uses: string[]
  routes(services: Services): Routes
  tables: Tables
  events: DomainEvent[]
  subscriptions?: Subscription[]
  jobs?(services: Services): JobHandler[]
  schedules?(services: Services): Schedule[]
  integrityChecks?: IntegrityCheck[]
  sampleData?: SampleData[]
  erasures?: Erasure[]
  settings?: SettingsSection[]
  profileParts?: ProfilePart[]
  forecast?: ForecastSource
  ruleFacts?: RuleFact[]
  bulkActions?: BulkAction[]
}

export function registryOf(modules: readonly Module[]): Registry {
  return {
    tables: Object.assign({}, platformTables, ...modules.map(({ tables }) => tables)),
    settings: modules.flatMap(({ settings = [] }) => settings),
    profileParts: modules.flatMap(({ profileParts = [] }) => profileParts),
    forecast: modules.find(({ forecast }) => forecast)?.forecast,
    erasures: modules.flatMap(({ erasures = [] }) => erasures),
    integrityChecks: modules.flatMap(({ integrityChecks = [] }) => integrityChecks),
    sampleData: modules.flatMap(({ sampleData = [] }) => sampleData),
    ruleFacts: modules.flatMap(({ ruleFacts = [] }) => ruleFacts),
    bulkActions: modules.flatMap(({ bulkActions = [] }) => bulkActions),
  }
}
