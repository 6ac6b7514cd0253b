import { randomBytes } from 'node:crypto'
import type { startTestApp } from '#testing'
import type { Kind } from './fixture.ts'

export type TestApp = Awaited<ReturnType<typeof startTestApp>>
export type Workspace = Awaited<ReturnType<TestApp['tenant']>>
export type Client = Workspace['anonymous']
/** Somebody who calls, and who they are. */
export type Somebody = { client: Client; userId?: string }

/** A workspace and its records. */
export type Place = {
  workspace: Workspace
  /** A text unlike any before. In the tenant that nobody may look into, it carries the canary. */
  text(about: string): string
  /** A record for one call. */
  make(kind: string, about?: About): Promise<string>
  /** The record for all calls that must not change it. */
  standing(kind: string, about?: About): Promise<string>
}

/** What it is a part of, and whose it is: the admin's, unless somebody else calls. */
type About = { parent?: string; owner?: string }

export function openPlace(workspace: Workspace, kinds: Record<string, Kind>, mark: string): Place {
  const kept = new Map<string, Promise<string>>()

  async function make(name: string, { parent, owner = workspace.admin.userId }: About = {}): Promise<string> {
    const { within, make: makeOne } = kinds[name]!
    const made = await makeOne(place, { owner, parent: within ? (parent ?? (await standing(within))) : '' })
    if (!made) throw new Error(`The ${name} of the fixtures could not be made.`)
    return made
  }

  function standing(name: string, about: About = {}): Promise<string> {
    const { owner = workspace.admin.userId, parent } = about
    const key = [name, parent, kinds[name]!.isOwn && owner].join(' ')
    const found = kept.get(key) ?? make(name, about)
    kept.set(key, found)
    return found
  }

  const place: Place = {
    workspace,
    text: (about) => `${mark} ${about} ${randomBytes(6).toString('hex')}`,
    make,
    standing,
  }
  return place
}
