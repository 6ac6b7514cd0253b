import { type Caller, callersIn } from './callers.ts'
import { type Call, callTo, send } from './calls.ts'
import { type Expected, expectedOf } from './expected.ts'
import type { Fixture } from './fixture.ts'
import { fixtures } from './fixtures.ts'
import { gapsIn } from './gaps.ts'
import type { Place } from './place.ts'
import type { Route } from './routes.ts'
import { changesBetween, rowsOf } from './rows.ts'
import { type Case, inParallel, tryCase, type Verdict } from './verdict.ts'
import type { World } from './world.ts'

type Try = Expected & { caller: Caller }

/** Lets everybody try every route: whoever may gets the answer, everybody else the refusal that fits, and nothing is written for them. */
export async function tryScopes(world: World, routes: readonly Route[] = world.routes): Promise<Verdict> {
  const { ours } = world
  const verdict: Verdict = { routes: routes.length, cases: 0, findings: await gapsIn(world) }
  const callers = await callersIn(ours.workspace)

  for (const route of routes) {
    const fixture = fixtures[route.name]
    if (!fixture) continue
    const attempt = (cases: readonly Case[]) =>
      inParallel(cases, async (one) => {
        verdict.cases++
        verdict.findings.push(...(await tryCase(route.name, one)))
      })
    const tries = callers.map((caller): Try => ({ caller, ...expectedOf(route, fixture, caller) }))
    const refused = await refusedCases(ours, route, fixture, tries)
    const allowed = tries.filter(({ isAllowed }) => isAllowed)

    const before = await rowsOf(ours.workspace)
    await attempt(refused)
    const changed = changesBetween(before, await rowsOf(ours.workspace))
    const sentence = `${route.name}: refused calls changed rows of ${changed.join(', ')}`
    if (changed.length) verdict.findings.push({ about: 'written', isLeak: false, sentence })
    await attempt(await Promise.all(allowed.map((one) => allowedCase(ours, route, fixture, one))))
  }
  return verdict
}

/** Who may not call is told so before anybody looks at what was sent. */
async function refusedCases(place: Place, route: Route, fixture: Fixture, tries: Try[]): Promise<Case[]> {
  const { method, url } = await callTo(route, fixture, place)
  const cases = tries
    .filter(({ isAllowed }) => !isAllowed)
    .flatMap(({ caller: { name, client }, expected, scope }, index) =>
      // One of them is enough to see that the gate is not deceived by how a path is written.
      (index === 0 ? spellingsOf(url) : [url]).map((spelling): Case => {
        const call: Call = { method, url: spelling }
        const as = spelling === url ? name : `${name} at ${spelling}`
        return { about: 'scope', name: as, expected, scope, send: () => send(client, call) }
      }),
    )
  return cases
}

/** All of them lead to the same place. */
function spellingsOf(url: string): string[] {
  const [path = '', query] = url.split('?')
  const twin = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
  const disguised = path.replace(/^\/api\/(.)/, (_, letter) => `/api/%${letter.charCodeAt(0).toString(16)}`)
  return [path, twin, disguised].map((spelling) => (query ? `${spelling}?${query}` : spelling))
}

async function allowedCase(place: Place, route: Route, fixture: Fixture, { caller, expected }: Try): Promise<Case> {
  const about = { about: 'scope', name: caller.name }
  // On a public route everybody is the same visitor: what is missing is told to all of them alike.
  if (fixture.public && route.body?.required?.length) {
    const call = { ...(await callTo(route, fixture, place)), payload: {} }
    return { ...about, expected: '422 validation_failed', send: () => send(caller.client, call) }
  }
  const isSafe = route.method === 'GET'
  const { client, userId: owner } = isSafe ? caller : await caller.another()
  const call = await callTo(route, fixture, place, { isFresh: !isSafe, owner })
  return { ...about, expected, send: () => send(client, call) }
}
