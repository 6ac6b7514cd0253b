import pg from 'pg'

/** Connects once, so that a wrong URL is reported with the name of the variable that contains it. */
export async function assertConnectable(variable: string, url: string): Promise<void> {
  await withProbe(variable, url, async () => {})
}

/** The first migration creates roles, which requires a privilege that a database owner does not have by itself. */
export async function assertOwnerMayMigrate(variable: string, url: string): Promise<void> {
  await withProbe(variable, url, async (client) => {
    const { rows } = await client.query<{ name: string; is_allowed: boolean }>(
      `select rolname as name, rolsuper or rolcreaterole or to_regrole('app') is not null as is_allowed
       from pg_roles where rolname = current_user`,
    )
    const [role] = rows
    if (role && !role.is_allowed)
      throw new Error(`the role ${role.name} must be allowed to create roles: alter role ${role.name} createrole`)
  })
}

export function assertDatabaseUrl(variable: string, url: string): void {
  if (!urlStart.test(url)) throw new Error(`${variable}: ${urlRule}.`)
}

/** The driver reads other texts as the path of a URL with the host `base`. */
const urlStart = /^(?:postgres(?:ql)?:\/\/|socket:|\/)/
const urlRule = 'must be a URL such as postgres://user:password@host:5432/database'

async function withProbe(variable: string, url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  assertDatabaseUrl(variable, url)
  let client: pg.Client | undefined
  try {
    client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
    client.on('error', () => {})
    await client.connect()
    await work(client)
  } catch (error) {
    throw new Error(`${variable}: ${describeFailure(error)}.`)
  } finally {
    await client?.end().catch(() => {})
  }
}

function describeFailure(error: unknown): string {
  // A host name with several addresses fails once per address.
  const first = error instanceof AggregateError ? error.errors[0] : error
  const { code, message } = first as Error & { code?: string }
  if (code === 'ECONNREFUSED')
    return 'the database cannot be reached. Check that it is running and that its URL is correct'
  if (code === 'ENOTFOUND') return `the host name cannot be resolved (${message})`
  if (code === 'ERR_INVALID_URL') return urlRule
  return message
}
