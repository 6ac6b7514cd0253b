import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { startTestApp } from '#testing'
import { type Endpoint, toggleTrailingSlash } from './endpoint.ts'
import type { Operation, Parameter } from './openapi-document.ts'

export type TestWorkspace = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>
type Client = TestWorkspace['anonymous']

/** Inputs that some endpoints accept come last, because the request may end the session. */
const invalidInputs = {
  bodies: [{ no_such_field: 1 }, [], 'text', 17, null, '{ "half": ', { id: null, name: { deep: [[[[]]]] } }, {}],
  queries: [
    'no_such_parameter=1',
    'limit=-1&offset=x',
    'limit=999999999999999999999',
    'cursor=%00',
    'search=%ED%A0%80',
  ],
}

/** Compares responses of the running application with the contract. */
export async function findResponseDeviations(endpoint: Endpoint, operation: Operation, workspace: TestWorkspace) {
  const deviations: string[] = []
  // A separate session, because some of these requests end it.
  const admin = await workspace.signIn(workspace.admin.userId)
  const path = fillPath(endpoint.path, operation)

  const checkCredential = async (credential: string, client: Client) => {
    const status = await statusOf(deviations, client, endpoint.method, path)
    if (endpoint.auth === 'none' && status === 401)
      deviations.push(`responds 401 to ${credential}, expected a public endpoint`)
    if (endpoint.auth !== 'none' && status !== 401) deviations.push(`responds ${status} to ${credential}, expected 401`)
  }
  await checkCredential('a missing credential', workspace.anonymous)
  if (endpoint.auth !== 'none')
    await checkCredential('a refresh token', workspace.bearer(`Bearer ${workspace.member.refreshToken}`))

  await checkTrailingSlash(deviations, endpoint, admin, path)
  await checkIds(deviations, endpoint, operation, admin)
  await checkInvalidInputs(deviations, endpoint, operation, admin, path)
  return deviations
}

async function checkTrailingSlash(
  deviations: string[],
  { method }: Endpoint,
  admin: Client,
  path: string,
): Promise<void> {
  const query = '?no_such_parameter=1'
  const [status, otherStatus] = [
    await statusOf(deviations, admin, method, path + query),
    await statusOf(deviations, admin, method, toggleTrailingSlash(path) + query),
  ]
  if (status !== otherStatus)
    deviations.push(`responds ${status} at ${path} and ${otherStatus} at ${toggleTrailingSlash(path)}`)
}

async function checkIds(deviations: string[], endpoint: Endpoint, operation: Operation, admin: Client): Promise<void> {
  for (const { name } of idParameters(operation)) {
    const path = fillPath(endpoint.path.replace(`{${name}}`, 'not-an-id'), operation)
    const status = await statusOf(deviations, admin, endpoint.method, path)
    if (status !== 422) deviations.push(`responds ${status} to a malformed ${name}, expected 422`)
  }
}

async function checkInvalidInputs(
  deviations: string[],
  { method, auth }: Endpoint,
  operation: Operation,
  admin: Client,
  path: string,
): Promise<void> {
  for (const query of invalidInputs.queries) {
    const status = await statusOf(deviations, admin, method, `${path}?${query}`)
    if (query.startsWith('no_such') && auth !== 'none' && status !== 422)
      deviations.push(`responds ${status} to an unknown query parameter, expected 422`)
  }
  if (method === 'GET' || method === 'DELETE') return
  const acceptsJson = operation.requestBody?.content['application/json'] !== undefined
  for (const body of invalidInputs.bodies) {
    const status = await statusOf(deviations, admin, method, path, body)
    const isUnknownField = typeof body === 'object' && body !== null && 'no_such_field' in body
    if (acceptsJson && isUnknownField && status !== 422)
      deviations.push(`responds ${status} to an unknown field, expected 422`)
  }
}

/** A 5xx status, or a response that does not match the OpenAPI document, is a deviation. */
async function statusOf(
  deviations: string[],
  client: Client,
  method: Endpoint['method'],
  url: string,
  body?: unknown,
): Promise<number> {
  const sent = body === undefined ? '' : ` with ${JSON.stringify(body)}`
  try {
    const status = await retryWhenBusy(async () => (await send(client, method, url, body)).status)
    if (status >= 500) deviations.push(`responds ${status} at ${url}${sent}`)
    return status
  } catch (error) {
    deviations.push(`${error instanceof Error ? error.message.split('\n')[0] : error}${sent}`)
    return 0
  }
}

/** A 503 of an overloaded machine is not a deviation. */
async function retryWhenBusy(request: () => Promise<number>): Promise<number> {
  for (let tries = 0; tries < 10; tries++) {
    const status = await request()
    if (status !== 503) return status
    await sleep(1_000)
  }
  return 503
}

function send(client: Client, method: Endpoint['method'], url: string, body?: unknown) {
  const payload = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
  if (method === 'GET') return client.get(url)
  if (method === 'DELETE') return client.delete(url)
  if (method === 'PATCH') return client.patch(url, payload)
  if (method === 'PUT') return client.put(url, payload)
  return client.post(url, payload)
}

const idParameters = ({ parameters = [] }: Operation): Parameter[] =>
  parameters.filter((parameter) => parameter.in === 'path' && parameter.schema?.format === 'uuid')

/** Fills the path with valid ids of missing records. */
function fillPath(path: string, { parameters = [] }: Operation): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const schema = parameters.find((parameter) => parameter.name === name)?.schema
    if (schema?.format === 'uuid') return randomUUID()
    return schema?.enum?.[0] ?? 'x'.repeat(43)
  })
}
