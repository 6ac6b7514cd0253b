import type { Answer as Received } from '#testing'
import { callTo, missing, type Spot, send, spotsIn } from './calls.ts'
import { giveKey } from './credentials.ts'
import type { Fixture } from './fixture.ts'
import { kinds } from './fixtures.ts'
import type { Client, Workspace } from './place.ts'
import { scopeFor } from './rights.ts'
import type { Route } from './routes.ts'
import type { Case } from './verdict.ts'
import type { World } from './world.ts'

/** Every record a request names, replaced by one of theirs: it must look exactly as if there were none. */
export async function foreignCases(world: World, route: Route, fixture: Fixture): Promise<Case[]> {
  const all = await spotsIn(route, fixture, world.ours)
  const spots = all.filter(({ kind }) => !kinds[kind]!.isShared)
  const inPath = spots.filter(({ where }) => where === 'path')
  const cases: Case[] = []
  for (const spot of spots) cases.push(...(await casesFor(world, route, fixture, [spot], `${spot.at} is theirs`)))
  if (inPath.length > 1) cases.push(...(await casesFor(world, route, fixture, inPath, 'every id is theirs')))
  return [...cases, ...(await strayCases(world, route, fixture, inPath))]
}

async function casesFor(world: World, route: Route, fixture: Fixture, spots: Spot[], name: string): Promise<Case[]> {
  const { where, answers } = spots[0]!
  const usual = { path: '404 not_found', query: 200, body: '422 unknown_reference' }[where]
  const expected = answers ?? usual
  // What is not refused changes something, and may be the last call of its session.
  const isFresh = route.method !== 'GET' && (fixture.public || Number.parseInt(String(expected), 10) < 300)
  const callers = await callersOf(world, route, fixture, where, isFresh)
  const foreign: [Spot, string][] = []
  for (const spot of spots) foreign.push([spot, await theirRecord(world, route, fixture, spot)])
  const absent = spots.map((spot): [Spot, string] => [spot, missing(spot.kind) ?? ''])
  const isComparable = absent.every(([, value]) => value) && !isFresh
  const asked = [...foreign, ...absent].map(([, value]) => value).filter(Boolean)

  return await Promise.all(
    callers.map(async (who): Promise<Case> => {
      const about = { isFresh, owner: who.userId }
      const call = await callTo(route, fixture, world.ours, { ...about, swaps: foreign })
      const twin = isComparable ? await callTo(route, fixture, world.ours, { ...about, swaps: absent }) : undefined
      // What was asked for may be in the answer, as in the links of a list.
      const hide = (text: string) => asked.reduce((hidden, value) => hidden.replaceAll(value, 'ID'), text)
      return {
        about: 'foreign id',
        isChange: isFresh,
        name: `as ${who.name}, ${name}`,
        // Whoever may not call at all is told so, whichever record it is.
        expected: who.isMighty ? expected : undefined,
        send: () => send(who.client, call, sameRequest),
        async check(answer) {
          if (answer.status < 300 && where === 'path') return `answered ${answer.status} for a record of another tenant`
          const absent = twin && (await send(who.client, twin, sameRequest))
          const isAlike = !absent || hide(seen(answer)) === hide(seen(absent))
          return isAlike ? undefined : `can be told from a missing record: ${seen(answer)} and ${seen(absent)}`
        },
      }
    }),
  )
}

const sameRequest = { 'x-request-id': 'the-same-for-both' }

/** Everything about an answer but when it was given and how many more may follow. */
function seen({ status, headers, text }: Received): string {
  const kept = Object.entries(headers).filter(([name]) => !/^(date|ratelimit.*|retry-after)$/.test(name))
  // Figures say in the body, too, when they were given.
  return `${status} ${JSON.stringify(kept.sort())} ${text.replace(/"as_of":"[\d:.TZ-]{24}"/, '"as_of":"NOW"')}`
}

type Who = { name: string; client: Client; userId?: string; isMighty: boolean }

/** Whoever is in the workspace tries ids in paths, machines too; what is valid otherwise takes an admin. */
async function callersOf(world: World, route: Route, fixture: Fixture, where: Spot['where'], isFresh: boolean) {
  const { workspace } = world.ours
  if (fixture.public) return [{ name: 'a visitor', client: workspace.anonymous, isMighty: true }]
  const { manager, member, viewer } = workspace
  const admin = isFresh ? await workspace.person('admin') : workspace.admin
  const people = where === 'path' ? [admin, manager, member, viewer] : [admin]
  const who = people.map(({ role, userId, ...client }): Who => {
    return { name: role, client, userId, isMighty: role === 'admin' }
  })
  const isForKeys = scopeFor(route.method, route.url) && !fixture.humanOnly
  const key = {
    name: 'a key of an admin',
    client: await keyIn(workspace),
    userId: workspace.admin.userId,
    isMighty: true,
  }
  return isForKeys ? [...who, key] : who
}

const keyIn = async (workspace: Workspace) => workspace.bearer(`ApiKey ${await giveKey(workspace)}`)

async function theirRecord({ theirs }: World, route: Route, { path = {} }: Fixture, spot: Spot): Promise<string> {
  const { within } = kinds[spot.kind]!
  const isNested = spot.where === 'path' && route.params.some((param) => path[param] === within)
  const parent = isNested && within ? await theirs.standing(within) : undefined
  return await theirs.standing(spot.kind, { parent })
}

/** A part of one record is not found below another, although both are ours. */
async function strayCases({ ours }: World, route: Route, fixture: Fixture, inPath: Spot[]): Promise<Case[]> {
  const nested = inPath.filter(({ kind }) => inPath.some((other) => other.kind === kinds[kind]!.within))
  return await Promise.all(
    nested.map(async (spot): Promise<Case> => {
      const { within } = kinds[spot.kind]!
      const elsewhere = await ours.make(spot.kind, { parent: await ours.make(within!) })
      const call = await callTo(route, fixture, ours, { swaps: [[spot, elsewhere]] })
      const name = `${spot.at} belongs to another ${within}`
      return { about: 'chain', name, expected: '404 not_found', send: () => send(ours.workspace.admin, call) }
    }),
  )
}
