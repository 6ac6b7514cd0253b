import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMatrixApp } from '../matrix/matrix-app.ts'
import { createRouteObserver } from './check-response.ts'
import { sendFuzzedRequests } from './fuzz-run.ts'

const { FUZZ_RUNS, FUZZ_SEED = '1', FUZZ_ROUTE = '', FUZZ_VERBOSE } = process.env
const { FUZZ_RUN, FUZZ_FROM = FUZZ_RUN ?? '1' } = process.env
const observer = createRouteObserver()
const app = await startMatrixApp({ environment: { LOG_LEVEL: 'error' }, onRequest: observer.onRequest })
const origin = await app.app.listen({ host: '127.0.0.1', port: 0 })

test('no generated request causes a server error, an undocumented response or a leak', {
  timeout: 3_600_000,
}, async (t) => {
  // In the build, one to every route.
  const [first, last] = [Number(FUZZ_FROM), Number(FUZZ_RUN ?? FUZZ_RUNS ?? app.routes.length)]
  const options = {
    seed: Number(FUZZ_SEED),
    route: FUZZ_ROUTE,
    first,
    last,
    isVerbose: FUZZ_RUN !== undefined || Boolean(FUZZ_VERBOSE),
  }
  // Diagnostics appear after the test only, and a run by hand takes minutes.
  const report = FUZZ_RUNS ? console.error : (line: string) => t.diagnostic(line)
  const result = await sendFuzzedRequests({ ...app, origin, observer }, options, report)

  const isByHand = FUZZ_RUNS ?? FUZZ_RUN
  assert.ok(isByHand || result.runs >= result.routes, `${result.runs} requests do not reach ${result.routes} routes`)
  assert.ok(first === last || FUZZ_ROUTE || result.accepted > result.runs / 4, `only ${result.accepted} were accepted`)
  assert.equal(result.findings, 0)
})
