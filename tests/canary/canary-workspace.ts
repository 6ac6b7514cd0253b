import assert from 'node:assert/strict'
import type { TestUser } from '#testing'
import { impersonate } from '../../src/modules/identity/sign-in/impersonation/impersonation.fixture.ts'
import { insertApiKey } from '../matrix/credentials.ts'
import { startMatrixApp } from '../matrix/matrix-app.ts'
import { type Canaries, createCanaries } from './canaries.ts'
import { keyScopes, type Reader, type UserName } from './readers.ts'

export type MatrixApp = Awaited<ReturnType<typeof startMatrixApp>>
type User = TestUser & { userId: string; email: string; accessToken: string }

export type CanaryWorkspace = Pick<Canaries, 'word' | 'register'> & {
  app: MatrixApp
  acme: MatrixApp['ownTenant']['workspace']
  canaries: Canaries
  users: Record<UserName, User>
  teamId: string
  /** Ids of records with canaries, by their kind in the fixtures of the matrices. */
  ids: Record<string, string[]>
  /** URLs that only some readers know, such as links with a token. */
  links: Partial<Record<'room' | 'roomPage' | 'visitToken' | 'survey' | 'unsubscribe', string>>
}

/** Starts the application of the matrices; the readers are users and keys of its own tenant. */
export async function createCanaryWorkspace(): Promise<CanaryWorkspace> {
  const app = await startMatrixApp()
  const { workspace: acme } = app.ownTenant
  const [owner, lead] = [await acme.person('member'), await acme.person('member')]
  const { admin, manager, member, viewer } = acme
  const members = [{ user_id: lead.userId, role: 'lead' }, { user_id: owner.userId }]
  const { body: team } = await succeed(admin.post('/api/teams/', { name: 'Sales', members }))
  const canaries = createCanaries()
  canaries.register('another workspace', app.canary)
  return {
    app,
    acme,
    canaries,
    word: canaries.word,
    register: canaries.register,
    users: { admin, manager, lead, owner, member, viewer },
    teamId: team.id,
    ids: {},
    links: {},
  }
}

export async function createReaders({ app, acme, users }: CanaryWorkspace): Promise<Reader[]> {
  const readers: Reader[] = Object.entries(users).map(([name, user]) => ({
    name: name as UserName,
    client: user,
    host: acme.host,
    authorization: `Bearer ${user.accessToken}`,
  }))
  for (const scope of keyScopes) {
    const authorization = `ApiKey ${await insertApiKey(acme, { scopes: [scope] })}`
    readers.push({ name: scope, client: acme.bearer(authorization), host: acme.host, authorization })
  }
  const impersonator = await impersonate(acme, users.owner)
  const { admin: outsider, host } = app.otherTenant.workspace
  const impersonation = `Bearer ${impersonator.body.access_token}`
  return [
    ...readers,
    { name: 'impersonator', client: impersonator, host: acme.host, authorization: impersonation },
    { name: 'anonymous', client: acme.anonymous, host: acme.host },
    { name: 'admin of another workspace', client: outsider, host, authorization: `Bearer ${outsider.accessToken}` },
  ]
}

/** Fails if a record could not be created, because its field would then be found nowhere. */
export async function succeed<R extends { status: number; body?: unknown; text?: string }>(
  response: Promise<R>,
): Promise<R> {
  const received = await response
  assert.ok(received.status < 300, received.text ?? JSON.stringify(received.body))
  return received
}

export const addIds = ({ ids }: Pick<CanaryWorkspace, 'ids'>, added: Record<string, string>): void => {
  for (const [kind, id] of Object.entries(added)) ids[kind] = [...(ids[kind] ?? []), id]
}
