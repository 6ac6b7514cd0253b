import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fields } from './merge-fields.ts'
import { ApiProblem } from './problem.ts'
import { saveRecord } from './save-record.ts'

type Person = { version: number; name: string; title: string | null }

const base: Person = { version: 1, name: 'Ada', title: null }
const fieldsOf = ({ name, title }: Person) => ({ name, title })

/** A server with one record that accepts only changes of its current version. */
function createServer(stored: Person) {
  const versions: number[] = []
  let record = stored
  return {
    versions,
    reload: async () => record,
    send: async (changes: Fields, version: number) => {
      versions.push(version)
      if (version !== record.version) throw new ApiProblem(412, { code: 'version_mismatch' })
      record = { ...record, ...changes, version: version + 1 }
      return record
    },
  }
}

test('a change of the current version is saved with one request', async () => {
  const { versions, send, reload } = createServer(base)

  const result = await saveRecord({
    version: 1,
    base: fieldsOf(base),
    changes: { name: 'Ada L.' },
    fieldsOf,
    send,
    reload,
  })

  assert.deepEqual(result, {
    kind: 'saved',
    record: { version: 2, name: 'Ada L.', title: null },
  })
  assert.deepEqual(versions, [1])
})

test('a change of another field by another user is kept', async () => {
  const { versions, send, reload } = createServer({ version: 4, name: 'Ada', title: 'Head of Sales' })

  const result = await saveRecord({
    version: 1,
    base: fieldsOf(base),
    changes: { name: 'Ada L.' },
    fieldsOf,
    send,
    reload,
  })

  assert.deepEqual(result, {
    kind: 'saved',
    record: { version: 5, name: 'Ada L.', title: 'Head of Sales' },
  })
  assert.deepEqual(versions, [1, 4])
})

test('the same change by another user needs no second request', async () => {
  const { versions, send, reload } = createServer({ version: 2, name: 'Ada L.', title: null })

  const result = await saveRecord({
    version: 1,
    base: fieldsOf(base),
    changes: { name: 'Ada L.' },
    fieldsOf,
    send,
    reload,
  })

  assert.deepEqual([result.kind, versions], ['saved', [1]])
})

test('a different change of the same field is a conflict and is not overwritten', async () => {
  const { versions, send, reload } = createServer({ version: 2, name: 'Augusta', title: null })

  const result = await saveRecord({
    version: 1,
    base: fieldsOf(base),
    changes: { name: 'Ada L.' },
    fieldsOf,
    send,
    reload,
  })

  assert.deepEqual(result, {
    kind: 'conflict',
    record: { version: 2, name: 'Augusta', title: null },
    conflicts: [{ field: 'name', mine: 'Ada L.', theirs: 'Augusta' }],
  })
  assert.deepEqual(versions, [1])
})

test('another problem is passed on', async () => {
  const send = async () => {
    throw new ApiProblem(409, { code: 'last_admin' })
  }

  await assert.rejects(
    saveRecord({ version: 1, base: fieldsOf(base), changes: {}, fieldsOf, send, reload: async () => base }),
    {
      code: 'last_admin',
    },
  )
})
