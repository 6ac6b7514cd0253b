import { mapConcurrently } from '#platform/concurrency'
import type { TestResponse } from '#testing'
import { send } from '../matrix/calls.ts'
import { kinds } from '../matrix/fixtures.ts'
import type { MatrixApp } from '../matrix/matrix-app.ts'
import type { Finding, MatrixResult } from '../matrix/matrix-case.ts'
import type { MatrixTenant } from '../matrix/matrix-tenant.ts'
import type { Route } from '../matrix/routes.ts'
import { drawSample, placeValue, type ValidRequest } from './hostile-requests.ts'
import type { ApiDocument } from './json-schema.ts'
import { createRequestSource, listOperations, type Operation } from './operations.ts'
import { listPositions, type Position } from './positions.ts'
import { hostileValues } from './values.ts'

type Options = {
  /** Sends one value at some positions of every operation instead of all values at all positions. */
  isShort: boolean
  seed: string
  isSelected(operation: Operation): boolean
  createTenant(): Promise<MatrixTenant>
}
type HostileApp = Options & { document: ApiDocument; ownTenant: MatrixTenant }
/** `accepted`: requests with a hostile value that is valid. */
type HostileResult = MatrixResult & { accepted: number }

const concurrency = 4
const positionsInShortRun = 3

/** Sends hostile values at every position of every operation. None may cause more than a documented error. */
export async function sendHostileRequests(app: MatrixApp, options: Options): Promise<HostileResult> {
  const document = (app.app as unknown as { swagger(): ApiDocument }).swagger()
  const operations = listOperations(document, app.routes).filter(options.isSelected)
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

/** Returns the cursor of the second page, to be tampered with. */
async function readCursor({ client, call }: ValidRequest): Promise<string | undefined> {
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
