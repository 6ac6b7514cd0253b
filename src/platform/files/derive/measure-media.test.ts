import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toMeasures } from './measure-media.ts'

const probe = (streams: object[], duration?: string) => JSON.stringify({ programs: [], streams, format: { duration } })
const nothing = { width: null, height: null, duration_seconds: null }

test('a video has pixels and a duration, an image only pixels and audio only a duration', () => {
  const output = probe([{}, { width: 320, height: 180 }], '20.000400')

  assert.deepEqual(toMeasures(output, 'video/mp4'), { width: 320, height: 180, duration_seconds: 20 })
  assert.deepEqual(toMeasures(output, 'image/gif'), { width: 320, height: 180, duration_seconds: null })
  assert.deepEqual(toMeasures(output, 'audio/mpeg'), { width: null, height: null, duration_seconds: 20 })
})

test('values that cannot be stored are unknown', () => {
  assert.deepEqual(toMeasures('', 'video/mp4'), nothing)
  assert.deepEqual(toMeasures('{"streams": ', 'video/mp4'), nothing)
  assert.deepEqual(toMeasures(probe([{ width: 0, height: 2_000_000_000 }], 'N/A'), 'video/mp4'), nothing)
  assert.deepEqual(toMeasures(probe([{ width: '1', height: 1.5 }], '1e99'), 'video/mp4'), nothing)
})
