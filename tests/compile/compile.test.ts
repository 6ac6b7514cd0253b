// What must not compile does not: each file in ./refused makes one mistake, and the type checker must name it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const folder = join(import.meta.dirname, 'refused')
const { stdout } = spawnSync('tsc', ['--noEmit', '--pretty', 'false', '-p', folder], { encoding: 'utf8' })
const complaints = stdout.split('\n').filter((line) => /error TS\d+/.test(line))

/** What the type checker has to say about each mistake. */
const mistakes: Record<string, RegExp> = {
  'query-without-tenant.ts': /Property 'selectFrom' does not exist on type 'Db'/,
  'system-for-tenant.ts': /'SystemTx' is not assignable to parameter of type 'TenantTx'/,
  'misspelt-scope.ts': /Type '\{ scope: string; \}' is not assignable/,
  'unregistered-event.ts': /Property '\[defined\]' is missing .* required in type 'DomainEvent/,
  'wrong-event-data.ts': /'nmae' does not exist/,
  'unknown-table-rules.ts': /'identity\.userz'' does not exist/,
}

test('every mistake is one the type checker was asked about', () => {
  const files = globSync('*.ts', { cwd: folder }).sort()
  assert.deepEqual(files, Object.keys(mistakes).sort())
})

for (const [file, expected] of Object.entries(mistakes)) {
  test(`${file.replace('.ts', '').replaceAll('-', ' ')} does not compile`, () => {
    const about = complaints.filter((line) => line.includes(`refused/${file}`))

    assert.ok(about.length > 0, `${file} compiled`)
    assert.ok(
      about.some((line) => expected.test(line)),
      about.join('\n'),
    )
  })
}

test('nothing else is wrong in those files', () => {
  const elsewhere = complaints.filter((line) => !Object.keys(mistakes).some((file) => line.includes(`refused/${file}`)))
  assert.deepEqual(elsewhere, [])
})
