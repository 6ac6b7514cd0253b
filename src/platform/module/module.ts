import type { ModelClient, RealtimeClient, Transcriber } from '#platform/ai'
import type { Cache } from '#platform/cache'
import type { Clock } from '#platform/clock'
import type { Config } from '#platform/config'
import type { Database, Db } from '#platform/db'
import type { Egress } from '#platform/egress'
import { type ErrorCatalogue, platformErrors } from '#platform/errors'
import type { FilePurpose, Files } from '#platform/files'
import type { ApplicationFiles, Lifecycle, RequestAuthenticator, Routes } from '#platform/http'
import type { JobHandler, JobQueue, Schedule } from '#platform/jobs'
import type { RateLimiter } from '#platform/limits'
import type { Mailer } from '#platform/mail'
import type { DomainEvent, Subscription } from '#platform/outbox'
import { strict } from '#platform/schema'
import type { SecretBox, SecretLocation } from '#platform/secrets'
import type { BlobStore } from '#platform/storage'
import type { ClientErrorCounter, Log } from '#platform/telemetry'
import type { UsageCounter } from '#platform/usage'
import type { EventPresenter } from './event-presenter.ts'
import type { Erasure, IntegrityCheck, MergeReference, RuleFact, SettingsSection } from './registries.ts'
import type { SampleData } from './sample-data.ts'
import { platformTables, type SecretColumns, type Tables } from './tables.ts'

export type ExtensionPoint<T> = { readonly name: string; readonly itemType?: T }

export type Extension = { point: ExtensionPoint<unknown>; items: readonly unknown[] }

export const defineExtensionPoint = <T>(name: string): ExtensionPoint<T> => ({ name })

export const extend = <T>(point: ExtensionPoint<T>, items: readonly T[]): Extension => ({ point, items })

export type ExtensionReader = <T>(point: ExtensionPoint<T>) => T[]

export function collectExtensions(extensions: readonly Extension[]): ExtensionReader {
  const itemsByPoint = new Map<ExtensionPoint<unknown>, unknown[]>()
  const itemsOf = (point: ExtensionPoint<unknown>): unknown[] => {
    const items = itemsByPoint.get(point) ?? []
    itemsByPoint.set(point, items)
    return items
  }
  for (const { point, items } of extensions) itemsOf(point).push(...items)
  return itemsOf as ExtensionReader
}

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
  clientErrors: ClientErrorCounter
  authenticator: RequestAuthenticator
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

export type SecretColumn = Required<SecretColumns> & { table: keyof Database }

export const listSecretColumns = (tables: Tables): SecretColumn[] =>
  Object.entries(tables).flatMap(([table, { secrets = [] }]) =>
    secrets.map((columns) => ({ location: columns.ciphertext, ...columns, table: table as keyof Database })),
  )

/** Rejects secrets of columns that are not declared, because `keys reencrypt` would not find them. Archives are files and have no columns. */
export function allowDeclaredSecrets(box: SecretBox, tables: Tables): SecretBox {
  const nameOf = ({ table, column }: Pick<SecretLocation, 'table' | 'column'>) => `${table}.${column}`
  const declared = new Set(listSecretColumns(tables).map(({ table, location }) => nameOf({ table, column: location })))
  return {
    ...box,
    seal(plain, location) {
      const isArchive = location.table === 'archive' || location.row === 'archive'
      if (!isArchive && !declared.has(nameOf(location)))
        throw new Error(`${nameOf(location)} must be declared in \`secrets\` of its table.`)
      return box.seal(plain, location)
    },
  }
}

/** Several modules can register parts of one section. Clients see one section with the fields of all parts. */
export function mergeSettingsParts(parts: readonly SettingsSection[]): SettingsSection[] {
  return [...Map.groupBy(parts, ({ name }) => name).values()].map(mergeParts)
}

function mergeParts(parts: readonly SettingsSection[]): SettingsSection {
  if (parts.length === 1) return parts[0]!
  const ordered = parts.toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0))
  const fields = ordered.flatMap(({ schema }) => Object.entries(schema.properties))
  const [name] = ordered.map((part) => part.name)
  const repeated = fields.find(([field], index) => fields.findIndex(([other]) => other === field) < index)
  if (repeated) throw new Error(`Two parts of the settings section ${name} have the field ${repeated[0]}.`)
  return {
    name: name!,
    schema: strict(Object.fromEntries(fields)),
    secrets: ordered.flatMap(({ secrets = [] }) => secrets),
    isSensitive: ordered.some(({ isSensitive }) => isSensitive),
    async problemsIn(tx, settings) {
      const problems = await Promise.all(ordered.map((part) => part.problemsIn?.(tx, settings) ?? []))
      return problems.flat()
    },
  }
}
