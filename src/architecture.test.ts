// Layering and dependency rules. A failing test means that code is in the wrong folder or file type.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { productFiles, sourceFiles, targetOf } from './testing/source-files.ts'

/** `description` is the test name. */
type Rule = { files: RegExp; forbidden: RegExp; description: string }

const importRules: Rule[] = [
  {
    files: /\.routes\.ts$/,
    forbidden: /^kysely|^#platform\/(outbox|audit|jobs)$/,
    description: 'routes do not use SQL, events, audit or jobs directly',
  },
  {
    files: /\.(service|queries|rules)\.ts$/,
    forbidden: /^@?fastify|^#platform\/http|\.routes\.ts$/,
    description: 'only routes use HTTP',
  },
  {
    files: /modules\/.*\.rules\.ts$/,
    forbidden: /^#platform\/(db|http|jobs|audit|mail|storage|cache)$|\.(queries|service|jobs|routes)\.ts$/,
    description: 'rules are pure functions',
  },
  {
    files: /modules\/.*\.events\.ts$/,
    forbidden: /^\.(?!.*\.events\.ts$)|^#modules|^#platform\/(?!outbox|schema|access)/,
    description: 'event files contain only names and schemas',
  },
  {
    files: /\.queries\.ts$/,
    forbidden: /\.(service|jobs|routes)\.ts$/,
    description: 'queries do not import services, jobs or routes',
  },
  {
    files: /modules\/.*\.schemas\.ts$/,
    forbidden: /^(?!typebox$|#platform\/(schema|access|csv|module|money|rules|tasks)$|#modules\/|\.)/,
    description: 'schema files use only TypeBox and schemas of other modules',
  },
  { files: /modules\/(?!.*\.queries\.ts$)/, forbidden: /^kysely/, description: 'SQL is only in *.queries.ts' },
  { files: /^src\/(?!platform\/db\/)/, forbidden: /^pg$/, description: 'only platform/db opens database connections' },
  { files: /^src\/(?!platform\/jobs\/)/, forbidden: /^pg-boss/, description: 'only platform/jobs uses pg-boss' },
  { files: /^src\/(?!platform\/cache\/)/, forbidden: /^ioredis/, description: 'only platform/cache uses Redis' },
  { files: /^src\/(?!platform\/mail\/)/, forbidden: /^nodemailer/, description: 'only platform/mail uses SMTP' },
  {
    files: /^src\/(?!modules\/identity\/credentials\/oidc\/oidc\.client\.ts$)/,
    forbidden: /^openid-client/,
    description: 'only oidc.client.ts talks to identity providers',
  },
  {
    files: /^src\/(?!platform\/egress\/)/,
    forbidden: /^undici/,
    description: 'outgoing requests go through platform/egress',
  },
  { files: /^src\/(?!platform\/ai\/)/, forbidden: /^ai$|^@ai-sdk\//, description: 'only platform/ai calls models' },
]

const textRules: Rule[] = [
  {
    files: /modules\/.*\.(service|jobs)\.ts$/,
    forbidden: /\bfetch\(/,
    description: 'only client files make network requests',
  },
  {
    files: /\.(service|queries|rules)\.ts$/,
    forbidden: /\binTenant\(db/,
    description: 'only routes, flows and jobs open a transaction',
  },
  {
    files: /modules\/.*\.(service|queries|rules)\.ts$/,
    forbidden: /\b(models\.ask(WithFallback)?|transcriber\.transcribe|realtime\.createCredential)\(/,
    description: 'models and speech providers are not called inside a transaction',
  },
  {
    files: /^src\/(?!platform\/db\/)/,
    forbidden: /\b(db|systemDb)\.pool\b|\{ pool \}/,
    description: 'every statement runs in a transaction',
  },
  { files: /./, forbidden: /\.selectAll\(|select \* from (?!pg_)/, description: 'queries name their columns' },
  {
    files: /^src\/(?!platform\/jobs\/boss-tables\/)/,
    forbidden: /\bpgboss\./,
    description: 'only jobs/boss-tables uses the tables of pg-boss',
  },
  {
    files: /^src\/(?!platform\/db\/driver\/pg-internals\.ts$)/,
    forbidden: /\b(parsedStatements|submittedNamedStatements|_send|prepareValue|readyForQuery|handleDataRow)\b/,
    description: 'only db/driver/pg-internals.ts uses private names of pg',
  },
  { files: /./, forbidden: /\bsql\.raw\b/, description: 'SQL is not built from strings' },
  {
    files: /^src\/(?!platform\/config\/|dev\/)/,
    forbidden: /process\.env/,
    description: 'process.env is read only in platform/config',
  },
  { files: /./, forbidden: /(\bas|:) any\b(?! \w)|<any>/, description: 'unknown is used instead of any' },
  { files: /modules\//, forbidden: /console\./, description: 'modules log through the logger, not the console' },
]

test('the source files are found', () => {
  assert.ok(productFiles.length > 150, `${productFiles.length} files`)
})

test('the platform does not import modules', () => {
  const violations = productFiles
    .filter(({ path }) => path.startsWith('src/platform/'))
    .flatMap(({ path, imports }) => imports.filter((i) => /^#(modules|events)\//.test(i)).map((i) => `${path} -> ${i}`))

  assert.deepEqual(violations, [])
})

test('platform parts are imported through their index', () => {
  const partOf = (path: string) => path.match(/^src\/platform\/([^/]+)/)?.[1]
  const violations = productFiles.flatMap(({ path, imports }) =>
    imports
      .filter((specifier) => specifier.startsWith('.'))
      .filter((specifier) => {
        const to = partOf(targetOf(path, specifier))
        return to !== undefined && to !== partOf(path)
      })
      .map((specifier) => `${path} -> ${specifier}`),
  )

  assert.deepEqual(violations, [])
})

test('no file imports itself through other files, not even as a type', () => {
  const importsByPath = new Map(
    productFiles.map(({ path, imports }) => [path, imports.map((specifier) => targetOf(path, specifier))]),
  )
  const finished = new Set<string>()
  const findCycles = (path: string, importers: string[]): string[] => {
    if (importers.includes(path)) return [[...importers.slice(importers.indexOf(path)), path].join(' -> ')]
    if (finished.has(path)) return []
    const cycles = (importsByPath.get(path) ?? []).flatMap((target) => findCycles(target, [...importers, path]))
    finished.add(path)
    return cycles
  }

  assert.deepEqual(
    [...importsByPath.keys()].flatMap((path) => findCycles(path, [])),
    [],
  )
})

test('files of worker threads do not load modules', () => {
  const importsByPath = new Map(
    productFiles.map(({ path, runtimeImports }) => [
      path,
      runtimeImports.map((specifier) => targetOf(path, specifier)),
    ]),
  )
  const loaded = new Map<string, string>()
  const load = (path: string, importer: string) => {
    if (loaded.has(path)) return
    loaded.set(path, importer)
    for (const target of importsByPath.get(path) ?? []) load(target, path)
  }
  const threadFiles = productFiles.flatMap(({ path, text }) =>
    [...text.matchAll(/new URL\('(\.\/[\w.-]+\.ts)', import\.meta\.url\)/g)].map(([, file]) => targetOf(path, file!)),
  )
  for (const path of threadFiles) load(path, 'a thread')

  assert.ok(threadFiles.length >= 5, `${threadFiles.length} files`)
  assert.deepEqual(
    [...loaded].filter(([path]) => path.endsWith('.module.ts')).map(([path, importer]) => `${importer} -> ${path}`),
    [],
  )
})

for (const { files: filePattern, forbidden, description } of importRules) {
  test(description, () => {
    const violations = productFiles
      .filter(({ path }) => filePattern.test(path))
      .flatMap(({ path, runtimeImports }) =>
        runtimeImports.filter((i) => forbidden.test(i)).map((i) => `${path} -> ${i}`),
      )

    assert.deepEqual(violations, [])
  })
}

for (const { files: filePattern, forbidden, description } of textRules) {
  test(description, () => {
    const violations = productFiles
      .filter(({ path, text }) => filePattern.test(path) && forbidden.test(text))
      .map(({ path }) => path)

    assert.deepEqual(violations, [])
  })
}

test('modules do not filter by or set tenant_id', () => {
  const violations = productFiles
    .filter(({ path }) => /modules\/.*\.queries\.ts$/.test(path) && !path.includes('/identity/workspace/tenants/'))
    .filter(({ text }) => /where\('(\w+\.)?tenant_id'|values\(\{[^}]*tenant_id/.test(text))
    .map(({ path }) => path)

  assert.deepEqual(violations, [])
})

test('no file has a generic name or more than 300 lines', () => {
  const genericNames = productFiles.filter(({ path }) =>
    /\b(utils?|helpers?|common|shared|types|constants)\.?\b/.test(path.replace('common-passwords', '')),
  )
  const tooLong = sourceFiles.filter(
    ({ path, text }) => !path.endsWith('db/database.ts') && text.split('\n').length > 301,
  )

  assert.deepEqual(
    [...genericNames, ...tooLong].map(({ path }) => path),
    [],
  )
})

test('files of erasures, file purposes and integrity checks have the plural of their registry', () => {
  const singular = productFiles.filter(({ path }) => /^src\/modules\/.*[.-](erasure|purpose|check)\.ts$/.test(path))
  const elsewhere = productFiles.filter(
    ({ path, text }) =>
      path.startsWith('src/modules/') &&
      /export const \w+(: Erasure(\[\])? =| = definePersonErasure\()/.test(text) &&
      !/\.erasures\.ts$/.test(path),
  )

  assert.deepEqual(
    [...singular, ...elsewhere].map(({ path }) => path),
    [],
  )
})
