// Runs the matrices one after the other with one application, because importing and starting it takes seconds.
import { after } from 'node:test'
import { startRedis } from '#testing'
import { testIsolation } from './isolation-tests.ts'
import { testLayers } from './layer-tests.ts'
import { layerSwitches } from './layers.ts'
import { monitorRedis } from './leaks.ts'
import { startMatrixApp } from './matrix-app.ts'
import { recordWrites } from './rows.ts'
import { testScopes } from './scope-tests.ts'

const { MATRIX, MATRIX_NAMES = 'isolation,layers,scopes', MATRIX_ROUTE } = process.env
const names = MATRIX_NAMES.split(',')

const redis = await startRedis()
const monitor = await monitorRedis(redis.url)
after(async () => {
  monitor.stop()
  await redis.stop()
})
// Rate limits are on, so that their Redis keys are checked too.
const environment = { REDIS_URL: redis.url, RATE_LIMIT_FACTOR: '100' }
const app = await startMatrixApp({ environment, ...layerSwitches })
await recordWrites(app.ownTenant.workspace.sql)
const options = { isShort: MATRIX !== 'full', routePart: MATRIX_ROUTE }

if (names.includes('isolation')) testIsolation(app, { ...options, redisCommands: monitor.commands })
if (names.includes('layers')) testLayers(app, options)
if (names.includes('scopes')) testScopes(app, options)
