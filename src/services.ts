import { openGatekeeper, userAddressBook, workspaceModel } from '#modules/identity'
import { openModels } from '#platform/ai'
import { openCache, openRedis } from '#platform/cache'
import { type Clock, systemClock } from '#platform/clock'
import { type Config, isProduction } from '#platform/config'
import { connect, disconnect } from '#platform/db'
import { openEgress } from '#platform/egress'
import { openLimits } from '#platform/limits'
import { openMailer } from '#platform/mail'
import { registryOf, type Services } from '#platform/module'
import { openAddressBook } from '#platform/notify'
import { newKeyLine, openSecretBox } from '#platform/secrets'
import { openBlobStore } from '#platform/storage'
import { type Log, openLog } from '#platform/telemetry'
import { modules } from './modules.ts'

type Given = { clock?: Clock; log?: Log }

/** Opens what the modules are handed. Nothing connects before it is used. */
export async function openServices(config: Config, { clock = systemClock, log = openLog(config) }: Given = {}) {
  const onTrouble = (err: Error) => log.warn({ err }, 'a database connection was lost')
  const db = connect(config.DATABASE_URL, { max: config.DATABASE_POOL_SIZE, onTrouble })
  const redis = openRedis({ REDIS_URL: config.REDIS_URL, log })
  const cache = openCache({ redis, clock })
  const limits = openLimits({ redis, config, clock })
  const gatekeeper = openGatekeeper({ db, config, clock, limits, log })
  const mailer = openMailer(config)
  openAddressBook(userAddressBook(config))
  const secrets = openSecretBox(secretsKeys(config))
  const egress = openEgress({ config })
  const services: Services = {
    config,
    clock,
    log,
    db,
    cache,
    limits,
    gatekeeper,
    mailer,
    secrets,
    storage: await openBlobStore(config),
    egress,
    models: openModels({ db, egress, limits, clock, log, readModel: workspaceModel(secrets) }),
    lifecycle: { state: 'starting' },
    registry: registryOf(modules),
  }
  return {
    services,
    async close() {
      await gatekeeper.close()
      await mailer.close()
      redis.close()
      await disconnect(db)
    },
  }
}

/** Outside production a process may do without a key: what it encrypts can then be read by nobody after it. */
function secretsKeys(config: Config): string {
  return config.SECRETS_KEYS || (isProduction(config) ? '' : newKeyLine('passing'))
}
