// Code that must not type-check: each file in ./refused contains one mistake that the compiler must report.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const folder = join(import.meta.dirname, 'refused')
// Several threads would check the imported types once each.
const flags = ['--noEmit', '--pretty', 'false', '--singleThreaded', '-p', folder]
const { stdout } = spawnSync('tsc', flags, { encoding: 'utf8' })
const errors = stdout.split('\n').filter((line) => /error TS\d+/.test(line))

const expectedErrors: Record<string, RegExp> = {
  'query-without-tenant.ts': /Property 'selectFrom' does not exist on type 'Db'/,
  'system-for-tenant.ts': /'SystemTx' is not assignable to parameter of type 'TenantTx'/,
  'misspelt-scope.ts': /Type '\{ scope: string; \}' is not assignable/,
  'unregistered-event.ts': /Property '\[defined\]' is missing .* required in type 'DomainEvent/,
  'wrong-event-data.ts': /'nmae' does not exist/,
  'unknown-table-rules.ts': /'identity\.userz'' does not exist/,
}

test('every file has an expected error', () => {
  const files = globSync('*.ts', { cwd: folder }).sort()
  assert.deepEqual(files, Object.keys(expectedErrors).sort())
})

for (const [file, expected] of Object.entries(expectedErrors)) {
  test(`${file.replace('.ts', '').replaceAll('-', ' ')} does not compile`, () => {
    const fileErrors = errors.filter((line) => line.includes(`refused/${file}`))

    assert.ok(fileErrors.length > 0, `${file} compiled`)
    assert.ok(
      fileErrors.some((line) => expected.test(line)),
      fileErrors.join('\n'),
    )
  })
}

test('there are no other errors', () => {
  const otherErrors = errors.filter(
    (line) => !Object.keys(expectedErrors).some((file) => line.includes(`refused/${file}`)),
  )
  assert.deepEqual(otherErrors, [])
})
