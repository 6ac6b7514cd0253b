import { fixtures } from '../../matrix/fixtures.ts'
import { takeInTurn } from '../../matrix/matrix-case.ts'
import { requiredScope } from '../../matrix/permissions.ts'
import type { Route } from '../../matrix/routes.ts'
import type { CanaryWorkspace } from '../canary-workspace.ts'
import { isKey, isUser, type Reader } from '../readers.ts'
import { download, type Output, type Way } from './way.ts'

/** All GET routes, with the ids of every record that has a canary. */
export const api: Way = {
  name: 'API',
  async read(canary, { readers, isShort }) {
    const outputs: Output[] = []
    let calls = 0
    for (const route of canary.app.routes.filter(isRead))
      for (const url of await listUrls(canary, route, isShort))
        for (const reader of isShort ? sampleReaders(readers, route, calls++) : readers)
          outputs.push(await download(canary, reader, url))
    return outputs
  },
}

/** The audit log is a way of its own. */
const isRead = ({ method, url }: Route) => method === 'GET' && url !== '/api/admin/audit-log'

/** Texts of the product, which are the same in all workspaces. */
const isConstant = (url: string) =>
  /^\/(reference|assets|pages|health|r\/[\w/]+\.m?js|api\/(health|openapi|admin\/(architecture|code-viewer)))/.test(url)

/** Returns URLs with every combination of ids. A full run calls the other routes with a record without a canary. */
async function listUrls({ app, ids }: CanaryWorkspace, route: Route, isShort: boolean): Promise<string[]> {
  const { name, url, params } = route
  if (isShort && isConstant(url)) return []
  const { path = {}, query = {} } = fixtures[name] ?? {}
  let urls = [url]
  for (const param of params) {
    const kind = path[param]!
    const known = ids[kind] ?? (isShort ? [] : [await app.ownTenant.sharedRecord(kind)])
    urls = urls.flatMap((one) => known.map((id) => one.replace(`:${param}`, encodeURIComponent(id))))
  }
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) if (typeof value === 'string') search.set(key, value)
  return urls.map((one) => (search.size ? `${one}?${search}` : one))
}

/** The owner and two other users in turn, and readers without an account. */
function sampleReaders(readers: readonly Reader[], route: Route, turn: number): Reader[] {
  const answered = readers.filter((reader) => mayAnswer(reader, route))
  const isSampled = ({ name }: Reader) => name !== 'owner' && (name === 'impersonator' || isUser(name))
  const sample = takeInTurn(answered.filter(isSampled), turn, 2)
  return answered.filter((reader) => !isSampled(reader) || sample.includes(reader))
}

/** Leaves out calls that the matrices prove to be rejected: of other scopes, without credential, of other workspaces. */
function mayAnswer({ name }: Reader, { name: routeName, method, url }: Route): boolean {
  const { public: isPublic, optionalCredential } = fixtures[routeName] ?? {}
  if (isPublic && !optionalCredential) return name === 'anonymous'
  if (name === 'anonymous') return false
  if (name === 'admin of another workspace') return url === '/api/home' || url === '/api/auth/me'
  return !isKey(name) || requiredScope(method, url) === name
}
