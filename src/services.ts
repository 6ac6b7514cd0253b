import {
  createRequestAuthenticator,
  createWorkspaceModelReader,
  readStorageQuota,
  userRecipientDirectory,
} from '#modules/identity'
import { createModelClient, createRealtimeClient, createTranscriber } from '#platform/ai'
import { createCache, openRedis } from '#platform/cache'
import { type Clock, systemClock } from '#platform/clock'
import { type Config, isProduction } from '#platform/config'
import { connect, type Db, disconnect } from '#platform/db'
import { createEgress } from '#platform/egress'
import { createFiles } from '#platform/files'
import { readApplicationFiles } from '#platform/http'
import { createJobQueue, poolLimitsOf } from '#platform/jobs'
import { createRateLimiter } from '#platform/limits'
import { openMailer } from '#platform/mail'
import { allowDeclaredSecrets, buildRegistry, type Module, type Services } from '#platform/module'
import { setRecipientDirectory } from '#platform/notify'
import { registerSubscriptions } from '#platform/outbox'
import { createSecretBox, generateKeyEntry } from '#platform/secrets'
import { type BlobStore, openBlobStore } from '#platform/storage'
import { createClientErrorCounter, createLogger, type Log } from '#platform/telemetry'
import { createUsageCounter, recordSlowStatements } from '#platform/usage'
import { modules } from './modules.ts'
import { withVariable } from './startup.ts'

type ServiceOptions = {
  kind?: 'api' | 'worker'
  clock?: Clock
  log?: Log
  sameInstanceAs?: Db
  testModules?: readonly Module[]
}

export async function openServices(config: Config, options: ServiceOptions = {}) {
  const { kind = 'api', clock = systemClock, log = createLogger(config), sameInstanceAs, testModules = [] } = options
  const allModules = [...modules, ...testModules]
  const onError = (err: Error) => log.warn({ err }, 'a database connection was lost')
  const db = connect(config.DATABASE_URL, { ...poolLimitsOf(kind, config).app, onError, sameInstanceAs })
  const jobQueue = createJobQueue({ db, systemUrl: config.DATABASE_SYSTEM_URL, log })
  registerSubscriptions(
    db,
    allModules.flatMap(({ subscriptions = [] }) => subscriptions),
  )
  setRecipientDirectory(db, userRecipientDirectory(config))
  const redis = openRedis({ REDIS_URL: config.REDIS_URL, log })
  const cache = createCache({ redis, clock })
  const limits = createRateLimiter({ redis, config, clock })
  const authenticator = createRequestAuthenticator({ db, config, clock, limits, log })
  if (isProduction(config) && !config.SMTP_URL) log.warn('SMTP_URL is not set: no emails are delivered')
  const mailer = openMailer(config)
  const outreachMailer = openMailer(config)
  const egress = createEgress({ config, clock })
  const usage = createUsageCounter({ db, clock })
  const slowStatements = recordSlowStatements({ db, clock, minMs: config.SLOW_STATEMENT_MS })
  const registry = buildRegistry(allModules)
  const secrets = allowDeclaredSecrets(createSecretBox(secretsKeys(config)), registry.tables)
  const storage = await withVariable('STORAGE_URL', () => openStorage(config))
  const files = await withVariable('CLAMD_URL', async () =>
    createFiles({ config, storage, clock, log, purposes: registry.filePurposes, readQuota: readStorageQuota }),
  )
  const services: Services = {
    config,
    clock,
    log,
    db,
    jobQueue,
    cache,
    limits,
    authenticator,
    mailer,
    outreachMailer,
    secrets,
    storage,
    files,
    egress,
    models: createModelClient({
      db,
      egress,
      limits,
      clock,
      log,
      usage,
      readModel: createWorkspaceModelReader(secrets),
    }),
    transcriber: createTranscriber({ egress, log }),
    realtime: createRealtimeClient({ egress, limits, clock, log }),
    usage,
    clientErrors: createClientErrorCounter(),
    lifecycle: { state: 'starting' },
    registry,
    applicationFiles: kind === 'api' ? await readApplicationFiles(config.WEB_FILES) : undefined,
  }
  return {
    services,
    async close() {
      await jobQueue.stop()
      await authenticator.close()
      await usage.close()
      await slowStatements.close()
      await mailer.close()
      await outreachMailer.close()
      await egress.close()
      redis.close()
      await disconnect(db)
    },
  }
}

/** Reads the bucket once in production, so that wrong credentials are found at startup. */
async function openStorage(config: Config): Promise<BlobStore> {
  const storage = await openBlobStore(config)
  if (isProduction(config)) await storage.ping()
  return storage
}

/** Outside production a random key is used if none is set; secrets cannot be decrypted after a restart. */
function secretsKeys(config: Config): string {
  return config.SECRETS_KEYS || (isProduction(config) ? '' : generateKeyEntry('ephemeral'))
}
