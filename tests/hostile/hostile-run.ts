import { mapConcurrently } from '#platform/concurrency'
import type { TestResponse } from '#testing'
import { send } from '../matrix/calls.ts'
import { fixtures, kinds } from '../matrix/fixtures.ts'
import type { MatrixApp } from '../matrix/matrix-app.ts'
import type { Finding, MatrixResult } from '../matrix/matrix-case.ts'
import type { MatrixTenant } from '../matrix/matrix-tenant.ts'
import type { Route } from '../matrix/routes.ts'
import { createValidRequest, drawSample, placeValue, type ValidRequest } from './hostile-requests.ts'
import type { ApiDocument } from './json-schema.ts'
import { listPositions, type Position } from './positions.ts'
import { hostileValues } from './values.ts'

type Options = {
  /** Sends one value at some positions of every operation instead of all values at all positions. */
  isShort: boolean
  seed: string
  /** Sends only to operations whose path contains it. */
  route: string
  createTenant(): Promise<MatrixTenant>
}
type HostileApp = Options & { document: ApiDocument; ownTenant: MatrixTenant }
/** `accepted`: requests with a hostile value that is valid. */
type HostileResult = MatrixResult & { accepted: number }
type Operation = { route: Route; method: string; path: string }

const concurrency = 4
const positionsInShortRun = 3
/** Changes to a whole workspace, which would affect the requests to other operations. */
const workspaceWide = /settings|scoring-config|pipelines|sources/

/** Sends hostile values at every position of every operation. None may cause more than a documented error. */
export async function sendHostileRequests(app: MatrixApp, options: Options): Promise<HostileResult> {
  const document = (app.app as unknown as { swagger(): ApiDocument }).swagger()
  const operations = listOperations(document, app.routes).filter(({ path }) => path.includes(options.route))
  // Two records of every kind, so that lists have a second page.
  for (const kind of Object.keys(kinds)) for (const _ of [1, 2]) await app.ownTenant.createRecord(kind)
  const result: HostileResult = { routes: operations.length, cases: 0, accepted: 0, findings: [] }

  await mapConcurrently(operations, concurrency, (operation) =>
    sendToOperation({ ...options, document, ownTenant: app.ownTenant }, operation, result),
  )
  for (const { level, msg, err, reqId } of app.logLines.map((line) => JSON.parse(line)))
    if (level === 'error' || level === 'fatal')
      addFinding(result, `the log contains "${msg}" (${err?.message}, request ${reqId})`)
  return result
}

function listOperations(document: ApiDocument, routes: readonly Route[]): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => {
      const name = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`
      const route = routes.find((candidate) => candidate.name === name)
      if (!route || !fixtures[name]) throw new Error(`${name} has no route or fixture.`)
      return { route, method, path }
    }),
  )
}

async function sendToOperation(
  app: HostileApp,
  { route, method, path }: Operation,
  result: HostileResult,
): Promise<void> {
  const { document } = app
  const positions = listPositions(document, method, path)
  const renewRequest = createRequestSource(app, route)
  let valid = await renewRequest()
  const cursor = positions.some(({ name }) => name === 'cursor') ? await readCursor(valid) : undefined
  for (const position of selectPositions(app, route, positions)) {
    const where = describePosition(position)
    for (const value of selectValues(app, route, position, cursor)) {
      const { call, headers } = placeValue(document, valid.call, position, value, route)
      result.cases++
      const response = await send(valid.client, call, headers).catch((error: Error) => error)
      const deviation = describeDeviation(response)
      if (deviation) addFinding(result, `${route.name}, ${where} = ${preview(value)}: ${deviation}`)
      if (response instanceof Error || response.status >= 400) continue
      result.accepted++
      if (method !== 'get') valid = await renewRequest()
    }
  }
}

const describePosition = ({ part, name, isKey }: Position) => `${part} ${name}${isKey ? ' (key)' : ''}`

function selectPositions({ isShort, seed }: HostileApp, { name }: Route, positions: Position[]): Position[] {
  return isShort ? drawSample(positions, { seed, count: positionsInShortRun, id: name }) : positions
}

function selectValues({ isShort, seed }: HostileApp, { name }: Route, position: Position, cursor?: string): unknown[] {
  const values = hostileValues(position, cursor)
  return isShort ? drawSample(values, { seed, count: 1, id: `${name} ${describePosition(position)}` }) : values
}

/** Returns a function that creates valid requests, in a new tenant when a limit of the tenant is reached. */
function createRequestSource({ ownTenant, createTenant }: HostileApp, route: Route): () => Promise<ValidRequest> {
  const isIsolated = route.method !== 'GET' && workspaceWide.test(route.url)
  let tenant: MatrixTenant | undefined = isIsolated ? undefined : ownTenant
  const createRequest = async () => {
    tenant ??= await createTenant()
    return await createValidRequest(tenant, route, fixtures[route.name]!)
  }
  return () =>
    createRequest().catch(() => {
      tenant = undefined
      return createRequest()
    })
}

/** Returns the cursor of the second page, to be tampered with. */
async function readCursor({
  client,
  call,
}: Awaited<ReturnType<typeof createValidRequest>>): Promise<string | undefined> {
  const [path, query] = call.url.split('?')
  const { body, headers } = await client.get(`${path}?${query ? `${query}&` : ''}limit=1`)
  return body?.next_cursor ?? /cursor=([^&>]+)[^>]*>; rel="next"/.exec(headers.link ?? '')?.[1]
}

/** The client has already checked that the response is declared in the OpenAPI document, unless the path matched no route. */
function describeDeviation(response: TestResponse | Error): string | undefined {
  if (response instanceof Error) return response.message.split('\n')[0]
  const { status, headers, body } = response
  const requestId = headers['x-request-id']
  if (status >= 500) return `responded ${status} ${body?.code}`
  if (!requestId) return `responded ${status} without X-Request-Id`
  if (status < 400) return undefined
  if (!String(headers['content-type']).startsWith('application/problem+json'))
    return `responded ${status} with an error of type ${headers['content-type']}`
  return body.request_id === requestId ? undefined : `responded ${status} with the request id ${body.request_id}`
}

const preview = (value: unknown) => JSON.stringify(value)?.slice(0, 100)

function addFinding({ findings }: { findings: Finding[] }, message: string): void {
  findings.push({ category: 'hostile input', isLeak: false, message })
}
