import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { startTestApp } from '#testing'
import type { Operation, Parameter } from './description.ts'
import { type Endpoint, twinOf } from './endpoint.ts'

export type Workspace = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>
type Client = Workspace['anonymous']

/** What nobody should send. What some endpoints take stands at the end, since it may end the session. */
const nonsense = {
  bodies: [{ no_such_field: 1 }, [], 'text', 17, null, '{ "half": ', { id: null, name: { deep: [[[[]]]] } }, {}],
  queries: [
    'no_such_parameter=1',
    'limit=-1&offset=x',
    'limit=999999999999999999999',
    'cursor=%00',
    'search=%ED%A0%80',
  ],
}

/** How the running application answers otherwise than the contract says. */
export async function deviationsInAnswers(endpoint: Endpoint, operation: Operation, workspace: Workspace) {
  const found: string[] = []
  // A session of its own, since some of these requests end the one they are made in.
  const admin = await workspace.signIn(workspace.admin.userId)
  const path = filled(endpoint.path, operation)

  const refuse = async (who: string, client: Client) => {
    const status = await statusOf(found, client, endpoint.method, path)
    if (endpoint.auth === 'none' && status === 401) found.push(`answers 401 to ${who} and should be public`)
    if (endpoint.auth !== 'none' && status !== 401) found.push(`answers ${status} to ${who} and should answer 401`)
  }
  await refuse('somebody without a credential', workspace.anonymous)
  if (endpoint.auth !== 'none')
    await refuse('a refresh token', workspace.bearer(`Bearer ${workspace.member.refreshToken}`))

  await checkTwin(found, endpoint, admin, path)
  await checkIds(found, endpoint, operation, admin)
  await checkNonsense(found, endpoint, operation, admin, path)
  return found
}

async function checkTwin(found: string[], { method }: Endpoint, admin: Client, path: string): Promise<void> {
  const query = '?no_such_parameter=1'
  const [one, other] = [
    await statusOf(found, admin, method, path + query),
    await statusOf(found, admin, method, twinOf(path) + query),
  ]
  if (one !== other) found.push(`answers ${one} at ${path} and ${other} at ${twinOf(path)}`)
}

async function checkIds(found: string[], endpoint: Endpoint, operation: Operation, admin: Client): Promise<void> {
  for (const { name } of idsIn(operation)) {
    const path = filled(endpoint.path.replace(`{${name}}`, 'not-an-id'), operation)
    const status = await statusOf(found, admin, endpoint.method, path)
    if (status !== 422) found.push(`answers ${status} to a malformed ${name} and should answer 422`)
  }
}

async function checkNonsense(
  found: string[],
  { method, auth }: Endpoint,
  operation: Operation,
  admin: Client,
  path: string,
): Promise<void> {
  for (const query of nonsense.queries) {
    const status = await statusOf(found, admin, method, `${path}?${query}`)
    if (query.startsWith('no_such') && auth !== 'none' && status !== 422)
      found.push(`answers ${status} to an unknown query parameter and should answer 422`)
  }
  if (method === 'GET' || method === 'DELETE') return
  const takesJson = operation.requestBody?.content['application/json'] !== undefined
  for (const body of nonsense.bodies) {
    const status = await statusOf(found, admin, method, path, body)
    const isUnknownField = typeof body === 'object' && body !== null && 'no_such_field' in body
    if (takesJson && isUnknownField && status !== 422)
      found.push(`answers ${status} to an unknown field and should answer 422`)
  }
}

/** A failure of the service, or an answer that the machine description does not promise, is a deviation by itself. */
async function statusOf(
  found: string[],
  client: Client,
  method: Endpoint['method'],
  url: string,
  body?: unknown,
): Promise<number> {
  const sent = body === undefined ? '' : ` with ${JSON.stringify(body)}`
  try {
    const status = await untilCalm(async () => (await send(client, method, url, body)).status)
    if (status >= 500) found.push(`answers ${status} at ${url}${sent}`)
    return status
  } catch (error) {
    found.push(`${error instanceof Error ? error.message.split('\n')[0] : error}${sent}`)
    return 0
  }
}

/** On a machine that is busy with other things the service may say so; that is no deviation. */
async function untilCalm(ask: () => Promise<number>): Promise<number> {
  for (let tries = 0; tries < 10; tries++) {
    const status = await ask()
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

const idsIn = ({ parameters = [] }: Operation): Parameter[] =>
  parameters.filter((parameter) => parameter.in === 'path' && parameter.schema?.format === 'uuid')

/** The path with values that are well-formed and belong to nothing. */
function filled(path: string, { parameters = [] }: Operation): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const schema = parameters.find((parameter) => parameter.name === name)?.schema
    if (schema?.format === 'uuid') return randomUUID()
    return schema?.enum?.[0] ?? 'x'.repeat(43)
  })
}
