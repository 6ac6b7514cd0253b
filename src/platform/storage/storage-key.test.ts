import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { storageKey } from './index.ts'
import { openTestDiskStore } from './stores.stand-in.ts'

test('a key consists of tenant id, area and id', () => {
  const [tenantId, id] = [newId(), newId()]

  assert.equal(storageKey(tenantId, 'files', id), `${tenantId}/files/${id}`)
})

test('file names, paths and invalid tenant ids are rejected in keys', () => {
  const tenantId = newId()

  for (const id of [
    '',
    '.',
    '..',
    '../x',
    'a/b',
    'a\\b',
    '%2e%2e%2f',
    'Report final.pdf',
    'a.pdf',
    'é',
    'a\0',
    'a\n',
    '-a',
    'x'.repeat(101),
  ])
    assert.throws(() => storageKey(tenantId, 'files', id), /storage key/, id)
  for (const area of ['', '.', '..', '.incoming', 'a/b', 'Files', 'a-b', '1a'])
    assert.throws(() => storageKey(tenantId, area, 'x'), /storage key/, area)
  for (const tenant of [
    '',
    '..',
    'acme',
    tenantId.toUpperCase(),
    `${tenantId}/files`,
    `x${tenantId}`,
    tenantId.slice(1),
  ])
    assert.throws(() => storageKey(tenant, 'files', 'x'), /storage key/, tenant)
})

test('a store rejects keys that storageKey would not create', async () => {
  const { store } = await openTestDiskStore()
  const tenantId = newId()
  const keys = [
    '',
    '/',
    '..',
    '/etc/passwd',
    tenantId,
    `${tenantId}/files`,
    `${tenantId}/files/`,
    `${tenantId}/../x`,
    `${tenantId}/files/..`,
    `${tenantId}/files/a/b`,
    `${tenantId}/files/a.type`,
    `${tenantId}/.incoming/a`,
    '.incoming/files/a',
    `${tenantId}/files/a\n`,
  ]

  for (const key of keys) {
    await assert.rejects(store.put(key, Buffer.from('x')), /storage key/, key)
    await assert.rejects(store.get(key), /storage key/, key)
    await assert.rejects(store.head(key), /storage key/, key)
    await assert.rejects(store.delete(key), /storage key/, key)
  }
})

test('a prefix cannot span several tenants', async () => {
  const { store } = await openTestDiskStore()
  const tenantId = newId()

  for (const prefix of [
    '',
    '/',
    './',
    '../',
    '.incoming/',
    tenantId,
    tenantId.slice(0, 8),
    `${tenantId}/fil`,
    `${tenantId}/../`,
    `${tenantId}//`,
  ]) {
    await assert.rejects(store.deletePrefix(prefix), /storage prefix/, prefix)
    assert.throws(() => store.list(prefix), /storage prefix/, prefix)
  }
})
