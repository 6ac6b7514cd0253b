import assert from 'node:assert/strict'
import type { startTestApp, TestUser } from '#testing'

type TestApp = Awaited<ReturnType<typeof startTestApp>>

/** Lists that need no parameters, also not one of two, and whose content belongs to the workspace, not to a session, to background work or to files of 30 days. */
export const listUrlsOf = (app: Pick<TestApp['app'], 'swagger'>): string[] =>
  Object.entries(app.swagger().paths ?? {}).flatMap(([path, methods]) => {
    // biome-ignore lint/suspicious/noExplicitAny: the OpenAPI document is read without its types
    const get = (methods as any).get
    const isOptional = (get?.parameters ?? []).every(({ required }: { required?: boolean }) => !required)
    return get &&
      isOptional &&
      /^\/api\/(?!auth|admin|users\/admin|tasks|health|notifications|(leads|contacts)\/imports|cadences\/enrollments)/.test(
        path,
      )
      ? [path]
      : []
  })

/** Removes what depends on sign-ins, passwords, secrets of endpoints, tokens of links, tickets of files, schedules and the time of the request. */
export function withoutVolatile(body: unknown): unknown {
  const volatile = new Set([
    'last_login_at',
    'last_seen_at',
    'last_activity_at',
    'generated_at',
    'as_of',
    'auth_methods',
    'public_link',
    'member_count',
    'member_count_at',
    'member_count_relation',
    'disabled_reason',
    'from_at',
    'to_at',
  ])
  const withoutTicket = (value: unknown) => (typeof value === 'string' ? value.replace(/\?ticket=.*$/, '') : value)
  return JSON.parse(
    JSON.stringify(body ?? null, (key, value) => (volatile.has(key) ? undefined : withoutTicket(value))),
  )
}

/** Pauses the cadences of a workspace, so that a restore or an import changes none of them. */
export async function pauseCadences({ manager }: { manager: TestUser }): Promise<void> {
  const { items } = (await manager.get('/api/cadences/?status=active')).body
  for (const { id } of items)
    assert.equal((await manager.patch(`/api/cadences/${id}`, { status: 'paused' })).status, 200)
}
