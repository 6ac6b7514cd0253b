import { buildCall, type Call } from '../matrix/calls.ts'
import { fixtures } from '../matrix/fixtures.ts'
import type { MatrixApp } from '../matrix/matrix-app.ts'
import type { MatrixTenant } from '../matrix/matrix-tenant.ts'

/** Lists calls that use the record at a path: its actions first, then what reads it. */
export async function listFollowUps(
  { routes }: MatrixApp,
  tenant: MatrixTenant,
  path: string,
): Promise<{ route: string; call: Call }[]> {
  const segments = path.replace(/\/$/, '').split('/')
  const matching = routes.filter(({ method, url }) => {
    const template = url.replace(/\/$/, '').split('/')
    const isBelow = segments.every((segment, index) => template[index]?.startsWith(':') || template[index] === segment)
    const rest = template.slice(segments.length)
    return (
      isBelow &&
      (method === 'GET' || (method === 'POST' && rest.length > 0)) &&
      !rest.some((part) => part.startsWith(':'))
    )
  })
  const calls = matching
    .filter(({ name }) => fixtures[name] && !fixtures[name].upload)
    .sort((one, other) => (one.method < other.method ? 1 : -1))
    .map(async (route) => {
      const { payload, headers } = await buildCall(route, fixtures[route.name]!, tenant)
      const rest = route.url.replace(/\/$/, '').split('/').slice(segments.length)
      return {
        route: route.name,
        call: { method: route.method, url: [...segments, ...rest].join('/'), payload, headers },
      }
    })
  return await Promise.all(calls)
}
