// The floor plan of the application. A failing test here means: the code is in the wrong room.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

/** Reads "operations may use identity". What is not listed is forbidden; #events/* is open to everyone. */
const mayUse: Record<string, string[]> = {
  identity: [],
  crm: ['identity'],
  marketing: ['identity', 'crm'],
  surveys: ['identity', 'crm', 'marketing'],
  enablement: ['identity', 'crm'],
  community: ['identity', 'crm', 'enablement'],
  plg: ['identity', 'crm'],
  operations: ['identity', 'crm', 'marketing', 'surveys', 'enablement', 'community', 'plg'],
}

type Rule = { where: RegExp; not: RegExp; because: string }

/** What a file must not import. */
const imports: Rule[] = [
  { where: /\.routes\.ts$/, not: /^kysely|^#platform\/(outbox|audit|jobs)$/, because: 'a route only asks and answers' },
  {
    where: /\.(service|queries|rules)\.ts$/,
    not: /^@?fastify|^#platform\/http|\.routes\.ts$/,
    because: 'only routes know HTTP',
  },
  {
    where: /modules\/.*\.rules\.ts$/,
    not: /^#platform\/(db|http|jobs|audit|mail|storage|cache)$|\.(queries|service|jobs|routes)\.ts$/,
    because: 'rules are pure',
  },
  {
    where: /modules\/.*\.events\.ts$/,
    not: /^\.|^#modules|^#platform\/(?!outbox|schema|access)/,
    because: 'an event is a name and a shape, nothing more',
  },
  { where: /\.queries\.ts$/, not: /\.(service|jobs|routes)\.ts$/, because: 'a query decides nothing' },
  {
    where: /modules\/.*\.schemas\.ts$/,
    not: /^(?!typebox$|#platform\/(schema|access|module|money|tasks)$|\.)/,
    because: 'a schema is TypeBox and nothing else',
  },
  { where: /modules\/(?!.*\.queries\.ts$)/, not: /^kysely/, because: 'SQL lives in *.queries.ts' },
  { where: /^src\/(?!platform\/db\/)/, not: /^pg$/, because: 'only platform/db holds connections' },
  { where: /^src\/(?!platform\/jobs\/)/, not: /^pg-boss/, because: 'only platform/jobs knows the job queue' },
  { where: /^src\/(?!platform\/cache\/)/, not: /^ioredis/, because: 'only platform/cache knows Redis' },
  { where: /^src\/(?!platform\/mail\/)/, not: /^nodemailer/, because: 'only platform/mail speaks SMTP' },
  {
    where: /^src\/(?!modules\/identity\/sso\/oidc\.client\.ts$)/,
    not: /^openid-client/,
    because: 'providers are spoken to by one client',
  },
  { where: /^src\/(?!platform\/egress\/)/, not: /^undici/, because: 'requests leave through platform/egress' },
  { where: /^src\/(?!platform\/ai\/)/, not: /^ai$|^@ai-sdk\//, because: 'only platform/ai speaks to models' },
]

/** What a file must not say. */
const words: Rule[] = [
  { where: /modules\/.*\.(service|jobs)\.ts$/, not: /\bfetch\(/, because: 'the network is spoken to by a client file' },
  {
    where: /\.(service|queries|rules)\.ts$/,
    not: /\binTenant\(db/,
    because: 'only routes, flows and jobs open a transaction',
  },
  {
    where: /modules\/.*\.(service|queries|rules)\.ts$/,
    not: /\bmodels\.ask(Or)?\(/,
    because: 'a model is asked between transactions, never inside one',
  },
  {
    where: /^src\/(?!platform\/db\/)/,
    not: /\b(db|systemDb)\.pool\b|\{ pool \}/,
    because: 'a statement runs in a transaction',
  },
  { where: /./, not: /\.selectAll\(|select \* from (?!pg_)/, because: 'a query names its columns' },
  { where: /./, not: /\bsql\.raw\b/, because: 'SQL is written, not built from strings' },
  { where: /^src\/(?!platform\/config\/|dev\.ts)/, not: /process\.env/, because: 'configuration is read in one place' },
  { where: /./, not: /\bas any\b|: any\b|<any>/, because: 'what is not known is unknown' },
  { where: /modules\//, not: /console\./, because: 'the product logs through its logger' },
]

const isTypeOnly = (names: string) =>
  /^\s*type\b/.test(names) ||
  (/^\s*\{/.test(names) &&
    names
      .replace(/[{}]/g, '')
      .split(',')
      .filter((name) => name.trim())
      .every((name) => /^\s*type\b/.test(name)))

const root = join(import.meta.dirname, '..')
const files = globSync('src/**/*.ts', { cwd: root }).map((path) => {
  const text = readFileSync(join(root, path), 'utf8')
  const all = [...text.matchAll(/(?:import|export)([^'"]*?)from '([^']+)'|import\('([^']+)'\)|^import '([^']+)'/gm)]
  const imports = all.map(([, , from, dynamic, bare]) => (from ?? dynamic ?? bare)!)
  // Knowing the shape of something is not using it.
  const uses = all
    .filter(([, names = '']) => !isTypeOnly(names))
    .map(([, , from, dynamic, bare]) => (from ?? dynamic ?? bare)!)
  return { path, text, imports, uses, isTest: /\.(test|stand-in|fixture)\.ts$/.test(path) }
})
const productFiles = files.filter(({ isTest, path }) => !isTest && !path.startsWith('src/testing/'))

const moduleOf = (path: string) => path.match(/^src\/modules\/([^/]+)/)?.[1]
const target = (path: string, specifier: string) =>
  specifier.startsWith('.') ? join(dirname(path), specifier) : specifier.replace(/^#(.*)/, 'src/$1/index.ts')

test('there is something to check', () => {
  assert.ok(productFiles.length > 150, `${productFiles.length} files`)
})

test('the platform knows nothing of the product', () => {
  const offences = productFiles
    .filter(({ path }) => path.startsWith('src/platform/'))
    .flatMap(({ path, imports }) => imports.filter((i) => /^#(modules|events)\//.test(i)).map((i) => `${path} -> ${i}`))

  assert.deepEqual(offences, [])
})

test('a part of the platform is entered through its door', () => {
  const partOf = (path: string) => path.match(/^src\/platform\/([^/]+)/)?.[1]
  const offences = productFiles.flatMap(({ path, imports }) =>
    imports
      .filter((specifier) => specifier.startsWith('.'))
      .filter((specifier) => {
        const to = partOf(target(path, specifier))
        return to !== undefined && to !== partOf(path)
      })
      .map((specifier) => `${path} -> ${specifier}`),
  )

  assert.deepEqual(offences, [])
})

test('a module is entered through its door, by those who may', () => {
  const offences = productFiles.flatMap(({ path, imports }) =>
    imports.flatMap((specifier) => {
      const [from, to] = [moduleOf(path), moduleOf(target(path, specifier))]
      if (!from || !to || from === to || specifier === `#events/${to}`) return []
      const throughDoor = specifier === `#modules/${to}`
      return throughDoor && mayUse[from]?.includes(to) ? [] : [`${path} -> ${specifier}`]
    }),
  )

  assert.deepEqual(offences, [])
})

for (const { where, not, because } of imports) {
  test(because, () => {
    const offences = productFiles
      .filter(({ path }) => where.test(path))
      .flatMap(({ path, uses }) => uses.filter((i) => not.test(i)).map((i) => `${path} -> ${i}`))

    assert.deepEqual(offences, [])
  })
}

for (const { where, not, because } of words) {
  test(because, () => {
    const offences = productFiles.filter(({ path, text }) => where.test(path) && not.test(text)).map(({ path }) => path)

    assert.deepEqual(offences, [])
  })
}

test('a module reads and writes only the tables of its own schema', () => {
  const offences = productFiles.flatMap(({ path, text }) =>
    [...text.matchAll(/\.(?:selectFrom|insertInto|updateTable|deleteFrom|\w+Join)\('(\w+)\./g)]
      .filter(([, schema]) => moduleOf(path) && schema !== moduleOf(path))
      .map(([statement]) => `${path}: ${statement}`),
  )

  assert.deepEqual(offences, [])
})

test('the tenant is set by the transaction, not by a statement of a module', () => {
  const offences = productFiles
    .filter(({ path }) => /modules\/.*\.queries\.ts$/.test(path) && !path.includes('/identity/tenants/'))
    .filter(({ text }) => /where\('(\w+\.)?tenant_id'|values\(\{[^}]*tenant_id/.test(text))
    .map(({ path }) => path)

  assert.deepEqual(offences, [])
})

test('every file has a home, and none outgrows 300 lines', () => {
  const homeless = productFiles.filter(({ path }) =>
    /\b(utils?|helpers?|common|shared|types|constants)\.?\b/.test(path.replace('common-passwords', '')),
  )
  const long = files.filter(({ path, text }) => !path.endsWith('db/database.ts') && text.split('\n').length > 301)

  assert.deepEqual(
    [...homeless, ...long].map(({ path }) => path),
    [],
  )
})
