import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Environment } from '#platform/config'
import { domain } from '../api.ts'
import { signIn } from '../signed-in.ts'

export type Workspace = Awaited<ReturnType<typeof enter>>
type Question = { method?: string; path: string; body?: object }

/** Signs the admin of a filled workspace in. */
export async function enter(
  slug: string,
  { owner, environment, port }: { owner: pg.Pool; environment: Environment; port: number },
) {
  const { rows } = await owner.query(
    `select tenant.id, person.id as person from identity.tenants tenant
     join identity.users person on person.tenant_id = tenant.id and person.role = 'admin' where slug = $1`,
    [slug],
  )
  const [tenantId, userId] = [rows[0].id as string, rows[0].person as string]
  const { rows: some } = await owner.query(
    'select id, owner_id, name_key from crm.leads where tenant_id = $1 and deleted_at is null order by md5(id::text) limit 500',
    [tenantId],
  )
  const token = await signIn(owner, { tenantId, userId }, environment)
  const headers = { host: `${slug}.${domain}`, authorization: `Bearer ${token}` }
  const agent = new Agent({ keepAlive: true })

  /** What is answered, and after how many milliseconds. Where the machine is too busy with other things, once more. */
  async function ask(question: Question, tries = 5) {
    for (; ; tries--) {
      const answered = await askOnce(question)
      if (answered.status < 300) return answered
      if (answered.status !== 503 || tries === 1)
        throw new Error(`${question.method} ${question.path}: ${answered.status} ${JSON.stringify(answered.answer)}`)
      await sleep(500)
    }
  }

  function askOnce({ method = 'GET', path, body }: Question) {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; took: number; answer: Answer }>()
    const text = body && JSON.stringify(body)
    const start = performance.now()
    const sent = request({
      ...{ host: '127.0.0.1', port, method, path, agent },
      headers: { ...headers, ...(text && { 'content-type': 'application/json' }) },
    })
    sent.once('error', reject)
    sent.once('response', async (response) => {
      const text = Buffer.concat(await response.toArray()).toString()
      resolve({ status: response.statusCode!, took: performance.now() - start, answer: JSON.parse(text) })
    })
    sent.end(text)
    return promise
  }
  return { slug, tenantId, headers, ask, leads: some as { id: string; owner_id: string | null; name_key: string }[] }
}

/** What the questions here look at of an answer. */
type Answer = { id: string; next_cursor: string | null; items: { id: string }[] }
