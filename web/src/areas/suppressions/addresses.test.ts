import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countRows, readAddresses } from './addresses.ts'

test('addresses are read from lines and lists, each once', () => {
  assert.deepEqual(readAddresses('ada@acme.example\ngrace@acme.example, Ada@acme.example;\n kim@x.example '), {
    addresses: ['Ada@acme.example', 'grace@acme.example', 'kim@x.example'],
    wrong: undefined,
  })
  assert.deepEqual(readAddresses('ada@acme.example ada'), { addresses: ['ada@acme.example', 'ada'], wrong: 'ada' })
  assert.deepEqual(readAddresses(' \n'), { addresses: [], wrong: undefined })
})

test('the rows of a file are those with content', () => {
  assert.equal(countRows('email\r\nada@acme.example\r\n\r\ngrace@acme.example\r\n'), 3)
})
