import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeAmount, describeRest, formatSize, shareOf } from './upload-figures.ts'

test('sizes have the larger unit that fits', () => {
  assert.deepEqual(
    [0, 950, 48_000, 1_000_000, 4_830_000, 152_000_000].map((bytes) => formatSize(bytes, 'en')),
    ['0 kB', '1 kB', '48 kB', '1 MB', '4.8 MB', '152 MB'],
  )
  assert.equal(describeAmount(3_100_000, 4_800_000, 'en'), '3.1 MB of 4.8 MB')
})

test('the remaining time follows from the speed, once it is known', () => {
  const upload = { sent: 1_000_000, total: 4_000_000 }

  assert.equal(describeRest(upload, 2_000), '6 s left')
  assert.equal(describeRest(upload, 500), undefined)
  assert.equal(describeRest({ ...upload, sent: 0 }, 2_000), undefined)
  assert.equal(describeRest({ ...upload, sent: 4_000_000 }, 2_000), undefined)
})

test('the share of nothing is 0 and never more than 1', () => {
  assert.deepEqual([shareOf({ sent: 0, total: 0 }), shareOf({ sent: 5, total: 4 })], [0, 1])
})
