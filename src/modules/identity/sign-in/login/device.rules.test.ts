import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceOf } from './login.rules.ts'

test('a device name consists of browser and operating system without versions', () => {
  const agents: [string | null, string][] = [
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
      'Chrome on Linux',
    ],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1', 'Safari on iOS'],
    ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36', 'Chrome on Android'],
    ['Mozilla/5.0 (Windows NT 10.0; rv:141.0) Gecko/20100101 Firefox/141.0', 'Firefox on Windows'],
    ['curl/8.5.0', 'curl'],
    ['', 'an unknown device'],
    [null, 'an unknown device'],
  ]

  for (const [agent, device] of agents) assert.equal(deviceOf(agent), device)
})
