import { fixtures } from '../../matrix/fixtures.ts'
import { requiredScope } from '../../matrix/permissions.ts'
import type { Route } from '../../matrix/routes.ts'
import type { CanaryWorkspace } from '../canary-workspace.ts'
import { keyScopes, type Reader } from '../readers.ts'
import { type Output, toOutput, type Way } from './way.ts'

/** All GET routes, with the ids of every record that has a canary. */
export const api: Way = {
  name: 'API',
  async read(canary, { readers, isShort }) {
    const outputs: Output[] = []
    for (const route of canary.app.routes.filter(({ method }) => method === 'GET'))
      for (const url of urlsOf(canary, route))
        for (const { name, client } of readers.filter((reader) => !isShort || mayAnswer(reader, route))) {
          const { status, text } = await client.get(url)
          if (status < 500) outputs.push(toOutput(name, `GET ${url}`, text))
        }
    return outputs
  },
}

/** Returns the URLs of a route with every combination of ids; none if there is no record for a parameter. */
export function urlsOf({ ids }: Pick<CanaryWorkspace, 'ids'>, { name, url, params }: Route): string[] {
  const { path = {} } = fixtures[name] ?? {}
  return params.reduce(
    (urls, param) =>
      urls.flatMap((one) => (ids[path[param]!] ?? []).map((id) => one.replace(`:${param}`, encodeURIComponent(id)))),
    [url],
  )
}

/** Keys get 403 from the routes of other scopes, which the matrices test. */
function mayAnswer({ name }: Reader, { url }: Route): boolean {
  const scope = requiredScope('GET', url)
  return !(keyScopes as readonly string[]).includes(name) || !scope || scope === name || /home|search/.test(url)
}
