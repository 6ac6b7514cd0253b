import type { TestResponse } from '#testing'
import { buildCall, createMissingId, type IdPosition, listIdPositions, send } from './calls.ts'
import { insertApiKey } from './credentials.ts'
import { kinds } from './fixtures.ts'
import type { MatrixApp } from './matrix-app.ts'
import { type MatrixCase, type MatrixOptions, takeInTurn } from './matrix-case.ts'
import type { Client, TestWorkspace } from './matrix-tenant.ts'
import { requiredScope } from './permissions.ts'
import type { RouteFixture } from './route-fixture.ts'
import type { Route } from './routes.ts'

/** `index`: number of the route, which decides the callers of a short run. */
type Options = MatrixOptions & { index: number }

/** Replaces every id of a request with one of the other tenant. The response must be the same as for a missing record. */
export async function foreignIdCases(
  app: MatrixApp,
  route: Route,
  fixture: RouteFixture,
  options: Options,
): Promise<MatrixCase[]> {
  const all = await listIdPositions(route, fixture, app.ownTenant)
  const positions = all.filter(({ kind }) => !kinds[kind]!.isGlobal)
  const inPath = positions.filter(({ part }) => part === 'path')
  const cases: MatrixCase[] = []
  for (const position of positions)
    cases.push(...(await casesFor(app, route, fixture, options, [position], `${position.name} is foreign`)))
  if (inPath.length > 1) cases.push(...(await casesFor(app, route, fixture, options, inPath, 'all ids are foreign')))
  return [...cases, ...(await wrongParentCases(app, route, fixture, inPath))]
}

async function casesFor(
  app: MatrixApp,
  route: Route,
  fixture: RouteFixture,
  { isShort, index }: Options,
  positions: IdPosition[],
  name: string,
): Promise<MatrixCase[]> {
  const [{ part, expected: ownExpected }] = positions as [IdPosition]
  const notFound = notFoundOf(fixture)
  const expected = ownExpected ?? { path: notFound, query: 200, body: '422 unknown_reference' }[part]
  // An accepted call changes data and may end its session, so it needs new records and a new session.
  const isFresh = route.method !== 'GET' && (fixture.public || Number.parseInt(String(expected), 10) < 300)
  const [firstCaller, ...otherCallers] = await createForeignIdCallers(app, route, fixture, { part, isFresh })
  const callers = [firstCaller!, ...takeInTurn(otherCallers, index, isShort ? 1 : otherCallers.length)]
  const foreignIds: [IdPosition, string][] = []
  for (const position of positions) foreignIds.push([position, await foreignRecord(app, route, fixture, position)])
  const missingIds = positions.map((position): [IdPosition, string] => [position, createMissingId(position.kind) ?? ''])
  const isComparable = missingIds.every(([, id]) => id) && !isFresh
  const sentIds = [...foreignIds, ...missingIds].map(([, id]) => id).filter(Boolean)
  // A response may repeat the id of the request, for example in the links of a list.
  const maskIds = (text: string) => sentIds.reduce((masked, id) => masked.replaceAll(id, 'ID'), text)

  return await Promise.all(
    callers.map(async (caller): Promise<MatrixCase> => {
      const options = { isFresh, owner: caller.userId }
      const call = await buildCall(route, fixture, app.ownTenant, { ...options, replacements: foreignIds })
      const missingCall = isComparable
        ? await buildCall(route, fixture, app.ownTenant, { ...options, replacements: missingIds })
        : undefined
      return {
        category: 'foreign id',
        isChange: isFresh,
        name: `as ${caller.name}, ${name}`,
        // An unauthorized caller is rejected for every record, so only the comparison counts.
        expected: caller.isAuthorized ? expected : undefined,
        send: () => send(caller.client, call, sameRequestId),
        async check(response) {
          if (response.status < 300 && part === 'path')
            return `responded ${response.status} for a record of another tenant`
          const missing = missingCall && (await send(caller.client, missingCall, sameRequestId))
          const isEqual = !missing || maskIds(comparableText(response)) === maskIds(comparableText(missing))
          return isEqual
            ? undefined
            : `is distinguishable from a missing record: ${comparableText(response)} and ${comparableText(missing)}`
        },
      }
    }),
  )
}

const sameRequestId = { 'x-request-id': 'the-same-for-both' }

/** Returns status, headers and body without times and rate limits. */
function comparableText({ status, headers, text }: TestResponse): string {
  const comparable = Object.entries(headers).filter(([name]) => !/^(date|ratelimit.*|retry-after)$/.test(name))
  return `${status} ${JSON.stringify(comparable.sort())} ${text.replace(/"as_of":"[\d:.TZ-]{24}"/, '"as_of":"NOW"')}`
}

type ForeignIdCaller = { name: string; client: Client; userId?: string; isAuthorized: boolean }

/** Ids in paths are tried by all roles and a key, other ids by an admin. */
async function createForeignIdCallers(
  { ownTenant: { workspace } }: MatrixApp,
  route: Route,
  fixture: RouteFixture,
  { part, isFresh }: { part: IdPosition['part']; isFresh: boolean },
): Promise<ForeignIdCaller[]> {
  if (fixture.public) return [{ name: 'an anonymous caller', client: workspace.anonymous, isAuthorized: true }]
  const { manager, member, viewer } = workspace
  const admin = isFresh ? await workspace.person('admin') : workspace.admin
  const users = part === 'path' ? [admin, manager, member, viewer] : [admin]
  const userCallers = users.map(({ role, userId, ...client }): ForeignIdCaller => {
    return { name: role, client, userId, isAuthorized: role === 'admin' }
  })
  const acceptsKeys = requiredScope(route.method, route.url) && !fixture.humanOnly
  const keyCaller: ForeignIdCaller = {
    name: 'a key of an admin',
    client: await createKeyClient(workspace),
    userId: workspace.admin.userId,
    isAuthorized: true,
  }
  return acceptsKeys ? [...userCallers, keyCaller] : userCallers
}

const createKeyClient = async (workspace: TestWorkspace) => workspace.bearer(`ApiKey ${await insertApiKey(workspace)}`)

async function foreignRecord(
  { otherTenant }: MatrixApp,
  route: Route,
  { path = {} }: RouteFixture,
  position: IdPosition,
): Promise<string> {
  const { parentKind } = kinds[position.kind]!
  const isNested = position.part === 'path' && route.params.some((param) => path[param] === parentKind)
  const parent = isNested && parentKind ? await otherTenant.sharedRecord(parentKind) : undefined
  return await otherTenant.sharedRecord(position.kind, { parent })
}

/** A nested record must not be found under another parent of the same tenant. */
async function wrongParentCases(
  { ownTenant }: MatrixApp,
  route: Route,
  fixture: RouteFixture,
  inPath: IdPosition[],
): Promise<MatrixCase[]> {
  const nested = inPath.filter(({ kind }) => inPath.some((other) => other.kind === kinds[kind]!.parentKind))
  return await Promise.all(
    nested.map(async (position): Promise<MatrixCase> => {
      const { parentKind } = kinds[position.kind]!
      const parent = await ownTenant.sharedRecord(parentKind!, { isOther: true })
      const record = await ownTenant.sharedRecord(position.kind, { parent })
      const call = await buildCall(route, fixture, ownTenant, { replacements: [[position, record]] })
      return {
        category: 'wrong parent',
        name: `${position.name} belongs to another ${parentKind}`,
        expected: notFoundOf(fixture),
        send: () => send(ownTenant.workspace.admin, call),
      }
    }),
  )
}

const notFoundOf = ({ isPage }: RouteFixture): string => (isPage ? '404 page' : '404 not_found')
