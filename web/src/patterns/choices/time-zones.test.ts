import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOffsets } from './time-zones.ts'

test('the offsets of time zones are read in batches, each zone once', async () => {
  const zones = Array.from({ length: 50 }, (_, at) => `Zone/${at}`)
  const read: string[] = []
  const readBefore: number[] = []

  const offsets = await readOffsets(
    zones,
    (zone) => {
      read.push(zone)
      return `GMT+${zone.length}`
    },
    async () => readBefore.push(read.length),
  )

  assert.deepEqual(readBefore, [0, 20, 40])
  assert.deepEqual(read, zones)
  assert.equal(offsets.get('Zone/7'), 'GMT+6')
})
