import { callTo, send } from './calls.ts'
import { successOf } from './expected.ts'
import type { Fixture } from './fixture.ts'
import { fixtures, kinds } from './fixtures.ts'
import { foreignCases } from './foreign.ts'
import { gapsIn } from './gaps.ts'
import type { Place, Somebody } from './place.ts'
import type { Route } from './routes.ts'
import { changesBetween, rowsOf } from './rows.ts'
import { forwarding, type Stranger, strangersOf } from './strangers.ts'
import { type Case, inParallel, shows, tryCase, type Verdict } from './verdict.ts'
import type { World } from './world.ts'

const admin = { role: 'admin', isKey: false } as const

/** Tries every way into another tenant at each of the routes, and whether anything was written that should not be. */
export async function tryIsolation(world: World, routes: readonly Route[] = world.routes) {
  const { ours, theirs, canary } = world
  const seen = await lookAround(world, routes)
  const verdict: Verdict & { seen: string[] } = { routes: routes.length, cases: 0, findings: await gapsIn(world), seen }
  const strangers = await strangersOf(world)

  for (const route of routes) {
    const fixture = fixtures[route.name]
    if (!fixture) continue
    const attempt = (cases: readonly Case[]) =>
      inParallel(cases, async (one) => {
        verdict.cases++
        verdict.findings.push(...(await tryCase(route.name, one, canary)))
      })
    const hold = (whose: string, changed: string[]) => {
      verdict.cases++
      const written = `${route.name}: refused calls changed ${whose} rows of ${changed.join(', ')}`
      if (changed.length) verdict.findings.push({ about: 'written', isLeak: false, sentence: written })
    }

    const cases = [
      ...(await strangerCases(world, route, fixture, strangers)),
      ...(await smuggling(world, route, fixture)),
      ...(await foreignCases(world, route, fixture)),
      ...(await welcomeCases(world, route, fixture)),
    ]
    const [our, their] = [await rowsOf(ours.workspace), await rowsOf(theirs.workspace)]
    await attempt(cases.filter(({ isChange }) => !isChange))
    // What a visitor does at a public door is written down, such as a failed sign-in.
    if (!fixture.public) hold('our', changesBetween(our, await rowsOf(ours.workspace)))
    await attempt(cases.filter(({ isChange }) => isChange))
    hold('their', changesBetween(their, await rowsOf(theirs.workspace)))
  }
  return verdict
}

/** On a public route nobody is asked who they are; still it must be our workspace that answers. */
async function strangerCases({ ours }: World, route: Route, fixture: Fixture, strangers: Stranger[]): Promise<Case[]> {
  const cases = strangers.map(async ({ name, at, client, answers, hasCredential }): Promise<Case[]> => {
    const isAsked = !fixture.public || (fixture.mayBeSignedIn && hasCredential)
    const isOpen = !isAsked && (at === 'ours' || fixture.anyHost)
    if (!isAsked && at === 'theirs') return []
    const call = await callTo(route, fixture, ours, { isFresh: isOpen && route.method !== 'GET' })
    const expected = isOpen ? successOf(route, fixture, admin) : answers
    return [{ about: at === 'ours' ? 'credential' : 'host', name, expected, send: () => send(client, call) }]
  })
  return (await Promise.all(cases)).flat()
}

/** The tenant is never taken from a query or a body. */
async function smuggling({ ours, theirs }: World, route: Route, fixture: Fixture): Promise<Case[]> {
  const call = await callTo(route, fixture, ours)
  const client = fixture.public ? ours.workspace.anonymous : ours.workspace.admin
  const tenant_id = theirs.workspace.id
  const url = `${call.url}${call.url.includes('?') ? '&' : '?'}tenant_id=${tenant_id}`
  const payload = { ...(call.payload as object), tenant_id }
  const smuggle = (name: string, changed: Partial<typeof call>): Case => ({
    about: 'smuggled',
    name,
    expected: '422 validation_failed',
    send: () => send(client, { ...call, ...changed }),
  })
  return [
    // Mail tools and providers add to public addresses what they like; it is not read.
    ...(fixture.public ? [] : [smuggle('with a tenant in the query', { url })]),
    ...(['GET', 'DELETE'].includes(call.method) ? [] : [smuggle('with a tenant in the body', { payload })]),
  ]
}

/** Whoever belongs here gets in, and sees nothing of anybody else. */
async function welcomeCases(world: World, route: Route, fixture: Fixture): Promise<Case[]> {
  const { ours, theirs } = world
  const expected = successOf(route, fixture, admin)
  const isSafe = route.method === 'GET'
  const came = async (name: string, headers = {}, query = ''): Promise<Case> => {
    const { client, userId: owner } = await welcome(ours, fixture, isSafe)
    const call = await callTo(route, fixture, ours, { isFresh: !isSafe, owner })
    return {
      about: 'own',
      isChange: !isSafe,
      name,
      expected,
      send: () => send(client, { ...call, url: call.url + query }, headers),
    }
  }
  const cursor = await theirCursor(world, route)
  return [
    await came('as an admin'),
    await came('as an admin, said to be for their host', forwarding(theirs.workspace.host, theirs.workspace.id)),
    ...(cursor ? [await came('with their cursor', {}, `?cursor=${encodeURIComponent(cursor)}`)] : []),
  ]
}

/** Some calls end the session they are made in, so each has its own. */
async function welcome({ workspace }: Place, fixture: Fixture, isSafe: boolean): Promise<Somebody> {
  if (fixture.public) return { client: workspace.anonymous }
  const client = isSafe ? workspace.admin : await workspace.person('admin')
  return { client, userId: client.userId }
}

/** Where a list of theirs goes on. */
async function theirCursor({ theirs }: World, route: Route): Promise<string | undefined> {
  if (!route.query?.properties?.cursor || route.params.length) return undefined
  const { body, headers } = await theirs.workspace.admin.get(`${route.url}?limit=1`)
  return body?.next_cursor ?? /cursor=([^&>]+)[^>]*>; rel="next"/.exec(headers.link ?? '')?.[1]
}

/**
 * Puts one of everything there, and lets their admin read it all, so that it lies in every cache. Tells where the canary showed:
 * there it would be seen by others, too.
 */
async function lookAround({ theirs, canary }: World, routes: readonly Route[]): Promise<string[]> {
  for (const kind of Object.keys(kinds)) await theirs.standing(kind)
  const seen: string[] = []
  for (const route of routes) {
    const fixture = fixtures[route.name]
    if (!fixture || route.method !== 'GET') continue
    const answer = await send(theirs.workspace.admin, await callTo(route, fixture, theirs))
    if (shows(answer, canary)) seen.push(route.name)
  }
  return seen
}
