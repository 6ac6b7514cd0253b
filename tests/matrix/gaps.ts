import { referencesIn } from './calls.ts'
import type { Fixture } from './fixture.ts'
import { fixtures, kinds } from './fixtures.ts'
import type { Place } from './place.ts'
import { idsIn, type Route } from './routes.ts'
import type { Finding } from './verdict.ts'
import type { World } from './world.ts'

const folder = 'tests/matrix/fixtures/'

/** What the fixtures do not say yet, each with what to write. A route without one is not tried, so it counts as wrong. */
export async function gapsIn({ routes, ours }: Pick<World, 'routes' | 'ours'>): Promise<Finding[]> {
  const gaps: string[] = []
  for (const route of routes) {
    const fixture = fixtures[route.name]
    gaps.push(...(fixture ? await gapsOf(route, fixture, ours) : [noFixture(route)]))
  }
  const known = new Set(routes.map(({ name }) => name))
  const stray = Object.keys(fixtures).filter((name) => !known.has(name))
  gaps.push(...stray.map((name) => `${name} has a fixture and is no route. Take it out of ${folder}.`))
  return gaps.map((sentence) => ({ about: 'fixture', isLeak: false, sentence }))
}

function noFixture({ name, params, body, query }: Route): string {
  const inBody = [...(body?.required ?? []).map((field) => `/${field}`), ...idsIn(body)]
  const parts = [
    params.length ? `path: { ${params.map((param) => `${param}: '…'`).join(', ')} }` : '',
    idsIn(query).length ? `query: { ${fieldsOf(idsIn(query))} }` : '',
    inBody.length ? `body: ({ text }) => ({ ${fieldsOf(inBody)} })` : '',
  ].filter(Boolean)
  return `${name} has no fixture. Add it to its group in ${folder}, with the walls it has beyond its scope:\n  '${name}': { ${parts.join(', ')} },`
}

const fieldsOf = (pointers: string[]): string =>
  [...new Set(pointers.map((pointer) => pointer.split('/')[1]!))]
    .map((field) => `${field}: ${/_ids?$/.test(field) ? "ref('…')" : '…'}`)
    .join(', ')

async function gapsOf({ name, params, query, body }: Route, fixture: Fixture, place: Place): Promise<string[]> {
  const { path = {} } = fixture
  const inQuery = referencesIn(fixture.query ?? {})
  const inBody = referencesIn(await fixture.body?.(place))
  const named = [...Object.values(path), ...[...inQuery.values(), ...inBody.values()].map(({ kind }) => kind)]
  const say = (what: string) => `The fixture of ${name} ${what}`
  return [
    ...params.filter((param) => !path[param]).map((param) => say(`does not say what kind of record ${param} is.`)),
    ...idsIn(query)
      .filter((at) => !inQuery.has(at))
      .map((at) => say(`leaves out ${at} of the query, which takes an id. Give it a ref('…').`)),
    ...idsIn(body)
      .filter((at) => !inBody.has(at) && !fixture.leftOut?.[at])
      .map((at) => say(`leaves out ${at} of the body, which takes an id. Give it a ref('…').`)),
    ...named
      .filter((kind) => !kinds[kind])
      .map((kind) => say(`names the kind ${kind}, which no group in ${folder} can make.`)),
  ]
}
