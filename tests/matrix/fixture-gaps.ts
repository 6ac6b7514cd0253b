import { referencesIn } from './calls.ts'
import { fixtures, kinds } from './fixtures.ts'
import type { MatrixApp } from './matrix-app.ts'
import type { Finding } from './matrix-case.ts'
import type { MatrixTenant } from './matrix-tenant.ts'
import type { RouteFixture } from './route-fixture.ts'
import { listIdPointers, type Route } from './routes.ts'

const folder = 'tests/matrix/fixtures/'

/** Returns what is missing in the fixtures and how to add it. A route without a fixture is not tested, so it is a finding. */
export async function findFixtureGaps({
  routes,
  ownTenant,
}: Pick<MatrixApp, 'routes' | 'ownTenant'>): Promise<Finding[]> {
  const gaps: string[] = []
  for (const route of routes) {
    const fixture = fixtures[route.name]
    gaps.push(...(fixture ? await gapsOf(route, fixture, ownTenant) : [describeMissingFixture(route)]))
  }
  const routeNames = new Set(routes.map(({ name }) => name))
  const unused = Object.keys(fixtures).filter((name) => !routeNames.has(name))
  gaps.push(...unused.map((name) => `${name} has a fixture but is not a route. Remove it from ${folder}.`))
  return gaps.map((message) => ({ category: 'fixture', isLeak: false, message }))
}

function describeMissingFixture({ name, params, body, query }: Route): string {
  const inBody = [...(body?.required ?? []).map((field) => `/${field}`), ...listIdPointers(body)]
  const parts = [
    params.length ? `path: { ${params.map((param) => `${param}: '…'`).join(', ')} }` : '',
    listIdPointers(query).length ? `query: { ${formatFields(listIdPointers(query))} }` : '',
    inBody.length ? `body: ({ text }) => ({ ${formatFields(inBody)} })` : '',
  ].filter(Boolean)
  return `${name} has no fixture. Add it to its group in ${folder}, with its access checks besides the scope:\n  '${name}': { ${parts.join(', ')} },`
}

const formatFields = (pointers: string[]): string =>
  [...new Set(pointers.map((pointer) => pointer.split('/')[1]!))]
    .map((field) => `${field}: ${/_ids?$/.test(field) ? "ref('…')" : '…'}`)
    .join(', ')

async function gapsOf(
  { name, params, query, body }: Route,
  fixture: RouteFixture,
  tenant: MatrixTenant,
): Promise<string[]> {
  const { path = {} } = fixture
  const inQuery = referencesIn(fixture.query ?? {})
  const inBody = referencesIn(await fixture.body?.(tenant))
  const usedKinds = [...Object.values(path), ...[...inQuery.values(), ...inBody.values()].map(({ kind }) => kind)]
  const describe = (gap: string) => `The fixture of ${name} ${gap}`
  return [
    ...params.filter((param) => !path[param]).map((param) => describe(`does not name the record kind of ${param}.`)),
    ...listIdPointers(query)
      .filter((pointer) => !inQuery.has(pointer) && !fixture.omittedIds?.[pointer])
      .map((pointer) => describe(`lacks the id ${pointer} of the query. Add a ref('…').`)),
    ...listIdPointers(body)
      .filter((pointer) => !inBody.has(pointer) && !fixture.omittedIds?.[pointer])
      .map((pointer) => describe(`lacks the id ${pointer} of the body. Add a ref('…').`)),
    ...usedKinds
      .filter((kind) => !kinds[kind])
      .map((kind) => describe(`uses the kind ${kind}, which no group in ${folder} defines.`)),
  ]
}
