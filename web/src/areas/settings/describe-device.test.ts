import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeDevice } from './describe-device.ts'

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0'

test('sessions name the browser and the system', () => {
  const describe = (userAgent: string | null) => {
    const { browser, system, isPhone } = describeDevice(userAgent)
    return [browser, system, isPhone]
  }

  assert.deepEqual(describe(`${chrome} Safari/537.36`), ['Chrome', 'Windows', false])
  assert.deepEqual(describe(`${chrome} Safari/537.36 Edg/156.0.0.0`), ['Edge', 'Windows', false])
  assert.deepEqual(
    describe(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1',
    ),
    ['Safari', 'iPhone', true],
  )
  assert.deepEqual(describe('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'), [
    'Firefox',
    'Linux',
    false,
  ])
  assert.deepEqual(describe('Mozilla/5.0 (Linux; Android 16; Pixel 9) Chrome/156.0.0.0 Mobile Safari/537.36'), [
    'Chrome',
    'Android',
    true,
  ])
  assert.deepEqual(describe(null), [null, null, false])
})
